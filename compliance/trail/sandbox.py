"""Whether the database is that of a sandbox.

``SANDBOX`` says so to each process, which compares it with the database when a worker starts, every
night and in ``/readyz``: a setting alone makes no casino a sandbox, and no sandbox a casino.
"""

from datetime import datetime

from django.conf import settings

from compliance.storage.schema_objects.compare import Difference
from compliance.trail.encoding import microseconds_of
from compliance.trail.log.signed_heads import Head
from compliance.trail.models import SandboxStart


def sandbox_start() -> datetime | None:
    """When the sandbox was made or last reset; None in the database of a real casino."""
    return SandboxStart.objects.order_by("-pk").values_list("at", flat=True).first()


def is_from_before_reset(head: Head) -> bool:
    """Whether a sandbox was reset after this head was signed, so that its log began again.

    This host's setting counts, too: rows of the database alone excuse no log that was cut.
    """
    start = sandbox_start() if settings.SANDBOX else None
    return start is not None and head.at <= microseconds_of(start)


def log_origin() -> str:
    """The name of the log in the world: ``LOG_ORIGIN``, and when a sandbox was reset.

    Each reset begins another log, which no witness takes for the former one.
    """
    origin: str = settings.LOG_ORIGIN
    if not origin or not settings.SANDBOX:
        return origin
    starts = SandboxStart.objects.order_by("-pk").values_list("at", flat=True)[:2]
    return f"{origin}/{microseconds_of(starts[0])}" if len(starts) > 1 else origin


def sandbox_member() -> dict[str, bool]:
    """What signed documents of a sandbox state; nothing elsewhere, so that these do not change."""
    return {"sandbox": True} if settings.SANDBOX or sandbox_start() is not None else {}


def sandbox_differences() -> list[Difference]:
    """The difference between the setting and the database, if there is one."""
    is_sandbox = sandbox_start() is not None
    if is_sandbox == settings.SANDBOX:
        return []
    found = "that of a sandbox" if is_sandbox else "that of a real casino"
    needed = "SANDBOX=true on every host" if is_sandbox else "SANDBOX unset, or an empty database"
    return [Difference("the database", found, needed)]
