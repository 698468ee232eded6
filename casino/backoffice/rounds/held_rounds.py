"""The owners of held rounds: who has to decide on which, with a note.

An assignment is a step of the exceptions queue (``payouts.stuck_work``), so it is appended,
recorded, and shown in the history of the round.
"""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from compliance.trail.people import name_of
from payouts.settlement.queries import is_held
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.permissions import HANDLE, handlers
from payouts.stuck_work.steps import OwnerFilter, filter_by_owner, steps_of
from payouts.stuck_work.work import WorkId
from rounds.models import Round


def owners() -> list[tuple[str, str]]:
    """The filters by owner: mine, nobody's, and those of each person who can have any."""
    people = [(str(key), name) for key, name in assignees()]
    return [(choice.value, str(choice.label)) for choice in OwnerFilter] + people


def assignees() -> list[tuple[int, str]]:
    """The people to whom a held round can be assigned: account and name."""
    return [(person.pk, name_of(person) or "") for person in handlers()]


def owned_by(rounds: QuerySet[Round], whose: str, *, reader: User) -> QuerySet[Round]:
    """The rounds of one of the ``owners``; all for another text, which the form refuses."""
    if whose == OwnerFilter.NOBODYS:
        return filter_by_owner(WorkKind.ROUND, rounds, owner=OwnerFilter.NOBODYS, user_id=reader.pk)
    owner = reader.pk if whose == OwnerFilter.MINE else whose
    if whose != OwnerFilter.MINE and whose not in {key for key, _name in owners()}:
        return rounds
    return filter_by_owner(WorkKind.ROUND, rounds, owner=OwnerFilter.MINE, user_id=int(owner))


def assignment_context(row: Round, reader: User) -> dict[str, Any]:
    """The owner of a held round, the assignments so far, and the form for who may assign."""
    if not is_held(row.pk):
        return {}
    work = WorkId(WorkKind.ROUND, row.pk)
    steps = list(steps_of(work))
    latest = steps[-1] if steps else None
    return {
        "work": work,
        "assignments": steps,
        "owner": latest.owner if latest else None,
        "owner_id": latest.owner_id if latest else None,
        "seen": latest.sequence if latest else 0,
        "may_handle": reader.has_perm(HANDLE),
        "people": assignees(),
    }
