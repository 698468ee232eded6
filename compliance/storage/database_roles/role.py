"""The roles of the database: each process connects as one that can do its own work, and no more."""

from enum import StrEnum
from typing import Final

from django.conf import settings


class DatabaseRole(StrEnum):
    """A role of the database; its name there is ``role_name``."""

    WEB = "web"
    """Pages, list files and API. It stores what people and programs hand over; moves no money."""
    WORKER = "worker"
    """Settles, posts, executes approved cases, reconciles, signs the audit log."""
    FEED = "feed"
    """``manage.py ingest`` and uploaded files: the facts of rounds."""
    EXPORTER = "exporter"
    """Builds and signs bundles, dossiers and certificates."""
    READER = "reader"
    """Reads, without accounts and sessions: replica, reports, the regulator."""
    SIEM = "siem"
    """Sends the audit log to the SIEM. It reads the log and writes its cursor, nothing else."""


ROLES: Final = tuple(DatabaseRole)


def role_name(role: DatabaseRole) -> str:
    """The name of a role in the database: all of an installation begin alike."""
    return f"{settings.DATABASE_ROLE_PREFIX}{role}"
