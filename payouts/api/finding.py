"""Which key a token is of: one statement, written by hand because every call waits for it."""

from datetime import datetime
from typing import Final, NamedTuple

from compliance.trail.prepared import first_rows_of
from payouts.api.models import ApiKey
from payouts.api.tokens import Token

_FIELDS: Final = [field.attname for field in ApiKey._meta.concrete_fields]  # noqa: SLF001  documented
_KEY: Final = ", ".join(
    f"known.{field.column}"
    for field in ApiKey._meta.concrete_fields  # noqa: SLF001  the same
)
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


class Proved(NamedTuple):
    """The key of a token, and what has become of both."""

    key: ApiKey
    revoked_at: datetime | None
    """Of the key, or of the one that issued it."""
    used_at: datetime | None
    ends_at: datetime | None
    """When a later secret takes, or took, this one's place."""


def key_of(token: Token) -> Proved | None:
    """Whose key the token proves; None for a wrong secret, and no sooner where there is no key."""
    rows = first_rows_of(_FIND, [token.handle])
    if not rows:
        token.fits(_NO_DIGEST)
    fitting = [row for row in rows if token.fits(row[0])]
    if not fitting:
        return None
    _digest, revoked_at, used_at, ends_at, *values = fitting[0]
    return Proved(ApiKey.from_db("default", _FIELDS, values), revoked_at, used_at, ends_at)
