"""Stake limits of a table; a change inserts a new set."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.signatures.sign_decision import record_decision
from compliance.trail.actor import Actor
from compliance.trail.steps import StaleState, require_person
from rounds.field_errors import InvalidField, one_of
from rounds.models import StakeLimit, StakeLimitSet
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.limits import Limits
from rounds.rules.money import format_cents
from rounds.services.limits_in_force import set_in_force
from rounds.services.table_fields import lock_table

NO_SET: Final = 0
"""``seen`` for a table without limits."""

_MOST_CENTS: Final = 99_999_999_999_999
"""The greatest stake that a feed can name."""


def limit_stakes(
    *, table_id: int, limits: Limits, seen: int, at: datetime, actor: Actor
) -> StakeLimitSet | None:
    """Puts a new set in force for rounds that arrive later; writes nothing without a change.

    ``limits`` holds cents by bet kind; other kinds have no limit. ``seen`` is the id of the set
    that the actor saw. Returns the set in force. Raises InvalidField, StaleState or PersonRequired.
    The actor signs: raises as ``record_decision``.
    """
    person = require_person(actor)
    with transaction.atomic():
        table = lock_table(table_id)
        in_force = set_in_force(table_id)
        if (NO_SET if in_force is None else in_force.pk) != seen:
            raise StaleState(in_force)
        if in_force is not None and at <= in_force.decided_at:
            raise StaleState(in_force)  # the latest is in force, so it could never be
        for kind, (least, most) in limits.items():
            check_limit(table.rules, kind, least, most)
        if dict(limits) == limits_of_set(in_force):
            return in_force
        decided = StakeLimitSet.objects.create(
            table=table,
            replaces=in_force,
            decided_at=at,
            decided_by=actor.name,
            actor_user_id=person,
        )
        StakeLimit.objects.bulk_create(
            StakeLimit(limit_set=decided, kind=kind, min_cents=least, max_cents=most)
            for kind, (least, most) in limits.items()
        )
        record_decision(decided.entry, at=at, actor=actor)
    return decided


def limits_of_set(limit_set: StakeLimitSet | None) -> dict[str, tuple[int, int]]:
    """Minimum and maximum stake in cents by bet kind."""
    return {} if limit_set is None else limit_set.cents


def check_limit(rules: str, kind: str, least: int, most: int) -> None:
    """Raises InvalidField for an unknown bet kind or an invalid range."""
    known = RULE_SETS[rules].bet_kinds if rules in RULE_SETS else (kind,)
    if kind not in known:
        raise InvalidField("kind", kind, one_of(known))
    if not 1 <= least <= _MOST_CENTS:
        raise InvalidField("least", format_cents(least), _("at least one cent"))
    if not least <= most <= _MOST_CENTS:
        needed = _("at least the minimum stake, and at most the maximum of the feed")
        raise InvalidField("most", format_cents(most), needed)
