"""What every representation shares: timestamps and pages."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any


def timestamp(at: datetime | None) -> str | None:
    """A time as the feed writes it: UTC, milliseconds, ``Z``."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def page_to_json(rows: Iterable[Mapping[str, Any]], next_cursor: str | None) -> dict[str, Any]:
    """One page of a list; ``next_cursor`` is None on the last page."""
    return {"data": list(rows), "next": next_cursor}
