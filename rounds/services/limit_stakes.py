"""Stake limits of a table; a change inserts a new set."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField, one_of
from rounds.models import StakeLimit, StakeLimitSet, Table
from rounds.queries import limits_of
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.limits import Limits
from rounds.rules.money import format_cents
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
    that the actor saw. Returns the set in force. Raises InvalidField or StaleState.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        in_force = set_in_force(table_id)
        if (NO_SET if in_force is None else in_force.pk) != seen:
            raise StaleState(in_force)
        before = limits_of_set(in_force)
        for kind, (least, most) in limits.items():
            check_limit(table.rules, kind, least, most)
        if dict(limits) == before:
            return in_force
        return _decide(table, before, limits, at=at, actor=actor)


def set_in_force(table_id: int) -> StakeLimitSet | None:
    """The latest set of a table, if any."""
    return StakeLimitSet.objects.filter(table_id=table_id).order_by("-id").first()


def limits_of_set(limit_set: StakeLimitSet | None) -> dict[str, tuple[int, int]]:
    """Minimum and maximum stake in cents by bet kind."""
    return {} if limit_set is None else limits_of([limit_set.pk]).get(limit_set.pk, {})


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


def _decide(
    table: Table, before: Limits, limits: Limits, *, at: datetime, actor: Actor
) -> StakeLimitSet:
    decided = StakeLimitSet.objects.create(table=table, decided_at=at, decided_by=actor.name)
    StakeLimit.objects.bulk_create(
        StakeLimit(limit_set=decided, kind=kind, min_cents=least, max_cents=most)
        for kind, (least, most) in limits.items()
    )
    details = {"limit_set": decided.pk, "before": _to_json(before), "after": _to_json(limits)}
    record_entries([Entry("LIMITS_DECIDED", f"table:{table.code}", details)], at=at, actor=actor)
    return decided


def _to_json(limits: Limits) -> Mapping[str, list[int]]:
    return {kind: list(cents) for kind, cents in limits.items()}
