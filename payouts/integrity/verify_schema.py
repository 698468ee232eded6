"""Comparison of the schema's triggers, functions, constraints and rights with the code.

It runs when a worker starts (``casino.operations.integrity_at_start``), every night, and with
``verify_trail``. A difference is recorded (``SCHEMA_DIFFERS``) and shown on *Today* as a failing
task. No worker starts on such a database: rounds stay queued, and running workers settle no more.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from compliance.storage.database_roles.compare import grant_differences
from compliance.storage.schema_objects.compare import (
    Difference,
    count_schema_objects,
    schema_object_differences,
)
from compliance.trail.actor import Actor
from compliance.trail.extra_checks import Report
from compliance.trail.record import Entry, record_entries
from compliance.trail.sandbox import sandbox_differences
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import stop_settlement

NIGHTLY: Final = "casino.verify_schema"
"""The nightly task; a worker that refuses to start marks it as failed, too."""
DIFFERS: Final = "SCHEMA_DIFFERS"

_MOST: Final = 100


class SchemaDiffers(Exception):
    """The schema's triggers, functions, constraints or rights differ from the code."""


def schema_differences() -> list[Difference]:
    """Every trigger, function, constraint and right that differs from the code. Reads only.

    And the kind of the database, if ``SANDBOX`` says another.
    """
    return [*sandbox_differences(), *schema_object_differences(), *grant_differences()]


def report_schema_differences(report: Report) -> str:
    """The verifier that ``verify_trail`` runs for the schema."""
    for difference in schema_differences():
        report(str(difference))
    return f"{count_schema_objects()} triggers, functions and constraints, compared with the code"


def verify_schema(*, at: datetime, actor: Actor) -> None:
    """Records the differences, stops settlement and raises SchemaDiffers, if there are any."""
    differences = schema_differences()
    if not differences:
        return
    listed = [str(difference) for difference in differences[:_MOST]]
    details = {"count": len(differences), "differences": listed}
    record_entries([Entry(DIFFERS, "schema:guards", details)], at=at, actor=actor)
    stop_settlement(IntegrityStop.Kind.SCHEMA, map(str, differences), at=at)
    raise SchemaDiffers(summary_of(differences))


def summary_of(differences: Sequence[Difference]) -> str:
    """The first difference, and the number of others."""
    more = f"; {len(differences) - 1} more" if len(differences) > 1 else ""
    return f"{differences[0]}{more} (manage.py verify_schema lists them)"
