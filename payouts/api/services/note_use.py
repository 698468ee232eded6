"""When a key was last used: written once a minute at most."""

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from payouts.api.models import ApiKey

_FRESH: Final = timedelta(minutes=1)
_NOTE: Final = """
    INSERT INTO api_keyuse (key_id, used_at, address) VALUES (%s, %s, %s)
        ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at, address = excluded.address
     WHERE api_keyuse.used_at <= %s
"""


def note_use(key: ApiKey, used_at: datetime | None, *, address: str | None, at: datetime) -> None:
    """Notes a use, unless one of the last minute is noted; ``used_at`` is what stands there."""
    if used_at is not None and at < used_at + _FRESH:
        return
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [key.pk, at, address, at - _FRESH])
