"""Encryption of second-factor secrets."""

import logging
from typing import Final

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import InvalidToken
from django.contrib.auth.models import User

from casino.access.encryption import fernet_for

_PURPOSE: Final = b"sabot: secrets of second factors"

_log = logging.getLogger(__name__)


class EncryptedFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # django-allauth ships no types
    """django-allauth's adapter, with encrypted secrets."""

    def encrypt(self, text: str) -> str:
        """The stored form of a secret."""
        return fernet_for(_PURPOSE).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret. Raises ValidationError without the key that encrypted it."""
        try:
            return fernet_for(_PURPOSE).decrypt(encrypted_text).decode()
        except InvalidToken:
            _log.exception("encrypted with a SECRET_KEY that is not in SECRET_KEY_FALLBACKS")
            error: Exception = self.validation_error("incorrect_code")
            raise error from None

    def get_totp_label(self, user: User) -> str:
        """The account's name, which the phone shows with the code."""
        return user.get_username()
