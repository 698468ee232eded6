"""The time of last use of a key, stored at most once a minute."""

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from casino.integrations.models import ApiKey

_FRESH: Final = timedelta(minutes=1)
_NOTE: Final = """
    INSERT INTO api_keyuse (key_id, used_at, address) VALUES (%s, %s, %s)
        ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at, address = excluded.address
     WHERE api_keyuse.used_at <= %s
"""


def record_use(key: ApiKey, used_at: datetime | None, *, address: str | None, at: datetime) -> None:
    """Stores a use, unless ``used_at``, the stored one, is of the last minute."""
    if used_at is not None and at < used_at + _FRESH:
        return
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [key.pk, at, address, at - _FRESH])
