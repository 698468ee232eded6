"""Suspending a table and resuming it: its rounds arrive as ever, and wait in between."""

from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models import TableSuspension
from rounds.models.suspension import RESUMED, SUSPENDED
from rounds.services.queue import resume_rounds, suspend_rounds
from rounds.services.table_fields import NotTaken, TableMoved, hold_table
from rounds.suspended import latest_step


class StatedReason(NamedTuple):
    """A reason of the managed list, with the words that it has now."""

    code: str
    text_it: str
    text_en: str


def suspend_table(
    *, table_id: int, reason: StatedReason, note: str, seen: int, at: datetime, actor: Actor
) -> TableSuspension:
    """Has every round of the table that is opened from now on wait for its resumption.

    Rounds opened before go their way. ``seen`` is the sequence of the latest step that the actor
    knows, 0 for none. Raises TableMoved where the table was suspended or resumed since.
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
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        waiting = suspend_rounds(table_id, opened_from=at)
        _record("TABLE_SUSPENDED", step, {"reason": reason._asdict(), "rounds": waiting}, actor)
    return step


def resume_table(
    *, table_id: int, note: str, seen: int, at: datetime, actor: Actor
) -> tuple[TableSuspension, int]:
    """Makes the rounds that waited for the table due, and says how many these are.

    Whoever calls it rings for the settlement afterwards. Raises NotTaken without a note that says
    why the table may be resumed, and TableMoved.
    """
    if not note.strip():
        raise NotTaken("note", note, _("a word about why the table may be resumed"))
    with transaction.atomic():
        step = _add_step(
            table_id,
            RESUMED,
            seen=seen,
            note=note.strip(),
            at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        waited = resume_rounds(table_id, at=at)
        _record("TABLE_RESUMED", step, {"rounds": waited}, actor)
    return step, waited


def _add_step(
    table_id: int,
    action: TableSuspension.Action,
    *,
    seen: int,
    **fields: Any,  # noqa: ANN401  the step's columns
) -> TableSuspension:
    table = hold_table(table_id)
    latest = latest_step(table_id)
    sequence, last = (latest.sequence, latest.action) if latest else (0, RESUMED)
    if sequence != seen or last == action:
        raise TableMoved(latest)
    return TableSuspension.objects.create(
        table=table, sequence=sequence + 1, action=action, **fields
    )


def _record(action: str, step: TableSuspension, details: dict[str, Any], actor: Actor) -> None:
    said = {"sequence": step.sequence, "note": step.note, **details}
    record_entries([Entry(action, f"table:{step.table.code}", said)], at=step.at, actor=actor)
