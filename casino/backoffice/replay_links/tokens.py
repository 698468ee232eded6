"""Tokens of replay links: random, signed with SECRET_KEY, stored as a digest."""

import secrets
from hashlib import sha256
from typing import Final

from django.core.signing import BadSignature, Signer

_RANDOM_BYTES: Final = 32
_MOST_CHARACTERS: Final = 200


def _signer() -> Signer:
    return Signer(salt="casino.backoffice.replay_links", sep=".")


def new_link_token() -> str:
    """A token with 256 random bits."""
    return _signer().sign(secrets.token_urlsafe(_RANDOM_BYTES))


def digest_of_token(token: str) -> bytes | None:
    """The stored digest of a token; None if Sabot did not sign it.

    A guessed token costs its sender a request and Sabot a hash: the database is not asked.
    """
    if len(token) > _MOST_CHARACTERS:
        return None
    try:
        _signer().unsign(token)
    except BadSignature:
        return None
    return sha256(token.encode()).digest()
