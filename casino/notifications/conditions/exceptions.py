"""Exceptions: those assigned to a person, and kinds of them that nobody has taken."""

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import override

from casino.notifications.conditions.condition import Condition, Snapshot
from payouts.stuck_work.kinds import KeysetSlice, WorkQuery, stuck_rows
from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.permissions import HANDLE
from payouts.stuck_work.queue import stuck_page
from payouts.stuck_work.steps import OwnerFilter
from payouts.stuck_work.work import StuckRow
from rounds.models import QuarantinedDocument

_MOST: Final = 200


def exceptions(look: Snapshot) -> Iterable[Condition]:
    """One for each that is assigned, and one for each kind: a broken feed brings thousands."""
    people = look.people_with(HANDLE)
    yield from _unassigned(look, people)
    by_id = {person.pk: person for person in people}
    for work in stuck_page(WorkQuery(look.at), size=_MOST).works:
        owner = work.step.owner_id if work.step is not None else None
        if owner in by_id:
            yield Condition(
                f"{work.id.kind.value}:{work.id.key}",
                _name_of(work.row),
                reverse("stuck_item", args=[work.id.kind.value, work.id.key]),
                [by_id[owner]],
                people,
            )


def _unassigned(look: Snapshot, people: list[User]) -> Iterable[Condition]:
    for kind in WorkKind:
        query = WorkQuery(look.at, owner=OwnerFilter.NOBODYS)
        if stuck_rows(kind, query, KeysetSlice(0, 1)):
            address = f"{reverse('stuck_work')}?kind={kind.value}"
            with override("en"):  # translated where it is shown
                name = str(kind.label)
            yield Condition(kind.value, name, address, people, look.compliance())


def _name_of(row: StuckRow) -> str:
    if isinstance(row, FailingTask):
        return row.task
    if isinstance(row, QuarantinedDocument):
        return f"{row.source}:{row.line}"
    return str(row.round.game_code)
