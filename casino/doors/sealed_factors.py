"""Secrets of second factors are sealed: a copy of the database is no copy of anybody's phone."""

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


class SealedFactors(DefaultMFAAdapter):  # type: ignore[misc]  # django-allauth ships no types
    """Seals with SECRET_KEY, and opens with those in SECRET_KEY_FALLBACKS too."""

    def encrypt(self, text: str) -> str:
        """The secret as it is stored."""
        return _seal().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret as the phone knows it; without the key nothing fits it."""
        try:
            return _seal().decrypt(encrypted_text).decode()
        except InvalidToken:
            _log.exception("sealed with a SECRET_KEY that is not in SECRET_KEY_FALLBACKS")
            refusal: Exception = self.validation_error("incorrect_code")
            raise refusal from None

    def get_totp_label(self, user: User) -> str:
        """The account's name, which the phone shows beside the code."""
        return user.get_username()


def _seal() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(_PURPOSE + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
