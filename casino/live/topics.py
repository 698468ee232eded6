"""Which topics a person may be told of."""

from collections.abc import Mapping
from typing import Final

from django.contrib.auth.models import User

from compliance.notifications.inbox import INBOX, inbox_of

PERMISSIONS: Final[Mapping[str, str]] = {
    "access": "casino.view_accessrequest",
    "alarm": "payouts.view_case",
    "bundle": "exports.view_bundle",
    "case": "payouts.view_case",
    "day": "payouts.view_dayclosing",
    "dispute": "payouts.view_dispute",
    "exception": "payouts.view_stuckworkstep",
    "feed": "payouts.view_feedupload",
    "reconciliation": "payouts.view_reconcilerun",
    "round": "rounds.view_round",
    "table": "rounds.view_table",
}
"""The permission that each kind of topic requires."""

EVERYTHING: Final = "*:"
"""The topic of a browser that may have missed something."""


def kinds_for(person: User) -> frozenset[str]:
    """The kinds of topics that the person's roles permit."""
    return frozenset(kind for kind, needed in PERMISSIONS.items() if person.has_perm(needed))


def is_for(topic: str, *, person_id: int, kinds: frozenset[str]) -> bool:
    """Whether a person with these kinds of topics is told of this one."""
    kind = topic.partition(":")[0]
    return topic in (EVERYTHING, inbox_of(person_id)) or (kind != INBOX and kind in kinds)
