"""Disputes whose deadline is near or over."""

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse

from casino.notifications.conditions.condition import Condition, Snapshot
from payouts.disputes.models import DisputeStep
from payouts.disputes.status import latest_steps

_PERMISSION: Final = "payouts.open_dispute"
_MOST: Final = 200


def disputes_due(look: Snapshot) -> Iterable[Condition]:
    """Disputes on their last working day, told to who has taken them, or else to all."""
    return _conditions(look, Q(remind_at__lte=look.at, due_at__gt=look.at))


def disputes_overdue(look: Snapshot) -> Iterable[Condition]:
    """Disputes whose deadline is over."""
    return _conditions(look, Q(due_at__lte=look.at))


def _conditions(look: Snapshot, which: Q) -> Iterable[Condition]:
    steps = latest_steps().filter(which).select_related("dispute").order_by("due_at", "dispute_id")
    due = list(steps[:_MOST])
    owners = _owners([step.dispute_id for step in due])
    everybody = look.people_with(_PERMISSION)
    for step in due:
        owner = owners.get(step.dispute_id)
        people: list[User] = [person for person in everybody if person.pk == owner]
        yield Condition(
            f"dispute:{step.dispute}:{step.sequence}",
            str(step.dispute),
            reverse("dispute", args=[step.dispute_id]),
            people or everybody,
            [*everybody, *look.compliance()],
        )


def _owners(disputes: list[int]) -> dict[int, int | None]:
    """Who has taken each dispute into review last."""
    taken = DisputeStep.objects.filter(dispute_id__in=disputes, action=DisputeStep.Action.TAKEN)
    return dict(taken.order_by("sequence").values_list("dispute_id", "actor_user_id"))
