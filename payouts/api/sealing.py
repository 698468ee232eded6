"""Answers that are kept are sealed: a copy of the database is no copy of anybody's token."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

_PURPOSE: Final = b"sabot: answers of the API"


def sealed(content: bytes) -> bytes:
    """What is stored, which SECRET_KEY opens."""
    return _seal().encrypt(content)


def opened(content: bytes) -> bytes:
    """What was sealed, with SECRET_KEY or one of SECRET_KEY_FALLBACKS; InvalidToken without it."""
    return _seal().decrypt(content)


def _seal() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(_PURPOSE + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
