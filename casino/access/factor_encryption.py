"""Encryption of second-factor secrets, so that a copy of the database reveals none."""

import logging
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth.models import User

_PURPOSE: Final = b"sabot: secrets of second factors"

_log = logging.getLogger(__name__)


class EncryptedFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # django-allauth ships no types
    """Encrypts with SECRET_KEY; decrypts with SECRET_KEY_FALLBACKS too."""

    def encrypt(self, text: str) -> str:
        """The stored form of a secret."""
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret. Raises ValidationError without the key that encrypted it."""
        try:
            return _fernet().decrypt(encrypted_text).decode()
        except InvalidToken:
            _log.exception("sealed with a SECRET_KEY that is not in SECRET_KEY_FALLBACKS")
            error: Exception = self.validation_error("incorrect_code")
            raise error from None

    def get_totp_label(self, user: User) -> str:
        """The account's name, which the phone shows with the code."""
        return user.get_username()


def _fernet() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(_PURPOSE + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
