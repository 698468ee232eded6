"""Encryption of stored responses and secrets."""

from typing import Final

from casino.access.encryption import fernet_for

_PURPOSE: Final = b"sabot: answers of the API"


def encrypt(content: bytes) -> bytes:
    """The content encrypted with SECRET_KEY."""
    return fernet_for(_PURPOSE).encrypt(content)


def decrypt(content: bytes) -> bytes:
    """The decrypted content. Raises InvalidToken without the key that encrypted it."""
    return fernet_for(_PURPOSE).decrypt(content)
