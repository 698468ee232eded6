"""Suspension and resumption of tables; rounds of a suspended table are stored and wait.

Each step is signed: both services raise as ``record_decision`` too.
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from compliance.signatures.sign_decision import create_signed_step
from compliance.trail.actor import Actor
from compliance.trail.steps import StaleState, require_person
from rounds.field_errors import InvalidField
from rounds.models import TableSuspension
from rounds.models.suspension import RESUMED, SUSPENDED
from rounds.services.queue import resume_rounds, suspend_rounds
from rounds.services.table_fields import lock_table
from rounds.suspended_tables import latest_step


class StatedReason(NamedTuple):
    """A managed reason, with its current texts."""

    code: str
    text_it: str
    text_en: str


def suspend_table(
    *, table_id: int, reason: StatedReason, note: str, seen: int, at: datetime, actor: Actor
) -> TableSuspension:
    """Suspends the settlement of the table's rounds opened from now on.

    ``seen`` is the sequence of the latest step that the actor saw, 0 for none. Raises StaleState if
    the table was suspended or resumed since, or PersonRequired.
    """
    with transaction.atomic():
        step = _add_step(
            table_id,
            SUSPENDED,
            seen=seen,
            reason_code=reason.code,
            reason_it=reason.text_it,
            reason_en=reason.text_en,
            note=note.strip(),
            at=at,
            actor=actor,
        )
        suspend_rounds(table_id, opened_from=at)
    return step


def resume_table(
    *, table_id: int, note: str, seen: int, at: datetime, actor: Actor
) -> tuple[TableSuspension, int]:
    """Makes the suspended rounds of the table due; returns the step and their number.

    The caller wakes the settlement workers after the commit. Raises InvalidField without a note,
    StaleState and PersonRequired.
    """
    if not note.strip():
        raise InvalidField("note", note, _("the reason for resuming the table"))
    with transaction.atomic():
        step = _add_step(
            table_id,
            RESUMED,
            seen=seen,
            note=note.strip(),
            at=at,
            actor=actor,
        )
        waited = resume_rounds(table_id, at=at)
    return step, waited


def _add_step(
    table_id: int,
    action: TableSuspension.Action,
    *,
    seen: int,
    at: datetime,
    actor: Actor,
    **fields: Any,
) -> TableSuspension:
    """Numbered after all steps, signed or not: odd ones suspend, even ones resume."""
    require_person(actor)
    table = lock_table(table_id)
    latest = latest_step(table_id)
    sequence, last = (latest.sequence, latest.action) if latest else (0, RESUMED)
    if sequence != seen or last == action:
        raise StaleState(latest)
    steps = TableSuspension.objects.filter(table=table)
    following = steps.aggregate(last=Max("sequence", default=0))["last"] + 1
    return create_signed_step(
        TableSuspension,
        table=table,
        sequence=following + (following % 2 != (action == SUSPENDED)),
        action=action,
        at=at,
        actor=actor,
        **fields,
    )
