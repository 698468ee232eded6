"""Conditions that people are notified of, one module a kind.

``CONDITIONS`` is the list. A condition is a query of what is the case now, and no event: so nothing
is missed that another process, an import or a killed worker brought about, and what is over ends by
itself. To add one, write a function and add it with its kind.
"""

from collections.abc import Callable, Iterable
from typing import Final

from casino.notification_kinds import (
    ALARM,
    APPROVAL,
    DISPUTE_DUE,
    DISPUTE_OVERDUE,
    EXCEPTION,
    EXPIRY,
    WEBHOOK,
)
from casino.notifications.conditions.alarms import alarms
from casino.notifications.conditions.approvals import approvals
from casino.notifications.conditions.condition import Condition, Snapshot
from casino.notifications.conditions.disputes import disputes_due, disputes_overdue
from casino.notifications.conditions.exceptions import exceptions
from casino.notifications.conditions.expiries import expiries
from casino.notifications.conditions.webhooks import stopped_webhooks

CONDITIONS: Final[dict[str, Callable[[Snapshot], Iterable[Condition]]]] = {
    APPROVAL.name: approvals,
    DISPUTE_DUE.name: disputes_due,
    DISPUTE_OVERDUE.name: disputes_overdue,
    ALARM.name: alarms,
    EXCEPTION.name: exceptions,
    EXPIRY.name: expiries,
    WEBHOOK.name: stopped_webhooks,
}
"""Each kind with the query of its conditions."""

__all__ = ["CONDITIONS", "Condition", "Snapshot"]
