"""The mark of a sandbox in a database that has audit records, for tests."""

from django.db import connection

from compliance.trail.models import SandboxStart
from tests.casino_in_play import NOW


def mark_as_sandbox() -> None:
    """Adds the mark without the trigger that refuses it where anything was recorded."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        SandboxStart.objects.create(at=NOW)
        cursor.execute("SET LOCAL session_replication_role = origin")
