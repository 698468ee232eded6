"""Encryption with SECRET_KEY, so that a copy of the database reveals no secrets."""

from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def fernet_for(purpose: bytes) -> MultiFernet:
    """Encrypts with SECRET_KEY; decrypts with SECRET_KEY_FALLBACKS too."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(purpose + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(urlsafe_b64encode(digest)) for digest in digests])
