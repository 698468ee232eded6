"""Encryption of stored responses and secrets, so that a copy of the database reveals none."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

_PURPOSE: Final = b"sabot: answers of the API"


def sealed(content: bytes) -> bytes:
    """The content encrypted with SECRET_KEY."""
    return _seal().encrypt(content)


def opened(content: bytes) -> bytes:
    """The decrypted content. Raises InvalidToken without SECRET_KEY or a fallback that fits."""
    return _seal().decrypt(content)


def _seal() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(_PURPOSE + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
