"""The key of a token, by one handwritten statement, because every call waits for it."""

from datetime import datetime
from typing import Final, NamedTuple

from casino.integrations.models import ApiKey
from casino.integrations.tokens import Token
from compliance.storage.prepared_statements import fetch_rows_after_idle

_FIELDS: Final = [field.attname for field in ApiKey._meta.concrete_fields]
_KEY: Final = ", ".join(f"known.{field.column}" for field in ApiKey._meta.concrete_fields)
_FIND: Final = f"""
    SELECT secret.digest, revocation.revoked_at, used.used_at,
           (SELECT min(later.earlier_until) FROM api_keysecret AS later
             WHERE later.key_id = secret.key_id AND later.sequence > secret.sequence),
           {_KEY}
      FROM api_apikey AS known
      JOIN api_keysecret AS secret ON secret.key_id = known.id
      LEFT JOIN api_keyrevocation AS revocation
             ON revocation.key_id IN (known.id, known.issued_by_id)
      LEFT JOIN api_keyuse AS used ON used.key_id = known.id
     WHERE known.handle = %s
"""  # noqa: S608  names of our own columns
_NO_DIGEST: Final = bytes(32)


class KeyMatch(NamedTuple):
    """The key of a token, with its revocation, last use and the token's end."""

    key: ApiKey
    revoked_at: datetime | None
    """When the key, or the one that issued it, was revoked."""
    used_at: datetime | None
    ends_at: datetime | None
    """When a later secret replaces the token's."""


def match_key(token: Token) -> KeyMatch | None:
    """The key of a token; None for a wrong secret or unknown key, in equal time."""
    rows = fetch_rows_after_idle(_FIND, [token.handle])
    if not rows:
        token.fits(_NO_DIGEST)
    fitting = [row for row in rows if token.fits(row[0])]
    if not fitting:
        return None
    _digest, revoked_at, used_at, ends_at, *values = fitting[0]
    return KeyMatch(ApiKey.from_db("default", _FIELDS, values), revoked_at, used_at, ends_at)
