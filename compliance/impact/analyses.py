"""Running impact analyses in parts, shared by workers, while settlement goes on.

The certificates' return is computed in a part of its own, as it may take a minute.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Sum

from compliance.certification.returns.changed_rules import ReadingKey
from compliance.certification.returns.exact_returns import percent_text
from compliance.exports.scope import DaysDetached
from compliance.impact.changed_fields import (
    BadChange,
    FieldChange,
    changeable_fields,
    with_changes,
)
from compliance.impact.compare_rounds import Comparison, compare_rounds
from compliance.impact.models import ImpactAnalysis, ImpactLine, ImpactPart
from compliance.impact.other_readings import known_readings, rules_by_reading
from compliance.storage.claimed_parts import claim_part, reading_only
from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import Actor
from compliance.trail.key_ranges import KeyRange, key_ranges
from compliance.trail.record import Entry
from compliance.trail.shared_runs import finish_run, sums_of
from payouts.carried_forward.detached_months import detached_with_bookings
from payouts.reconciliation.checks.days import Days
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet

_BETS: Final = 40_000
"""The weight of a part: its bets, plus ten per round."""
_AT_ONCE: Final = 1_000
FIGURES: Final = (
    "rounds",
    "left_out_rounds",
    "refused_rounds",
    "refused_bets",
    "refused_staked_cents",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChange:
    """Another reading of the register, or other values of declared fields."""

    reading: ReadingKey | None = None
    fields: Sequence[FieldChange] = ()

    def changed_rules(self) -> dict[str, RuleSet]:
        """The rule sets that it changes, by name. Raises BadChange."""
        if self.reading is not None:
            changed = rules_by_reading(self.reading)
            if not changed:
                known = ", ".join(f"{key}:{index}" for key, index in known_readings())
                raise BadChange("reading", "{}:{}".format(*self.reading), f"one of {known}")
            return changed
        if not self.fields:
            raise BadChange("change", "none", "a reading or a field")
        names = dict.fromkeys(change.rules for change in self.fields)
        for name in names:
            if name not in RULE_SETS:
                raise BadChange("rules", name, " or ".join(RULE_SETS))
        return {
            name: with_changes(RULE_SETS[name], [it for it in self.fields if it.rules == name])
            for name in names
        }


def change_of(analysis: ImpactAnalysis) -> RuleChange:
    """The change that is analysed."""
    if analysis.reading:
        return RuleChange(reading=(analysis.reading, analysis.reading_index or 0))
    fields = [FieldChange(rules, field, value) for rules, field, _was, value in analysis.fields]
    return RuleChange(fields=fields)


def begin_analysis(change: RuleChange, *, days: Days, at: datetime, actor: Actor) -> ImpactAnalysis:
    """Creates an analysis with its parts. Raises BadChange and DaysDetached."""
    require_days(days)
    changed = change.changed_rules()
    reading, index = change.reading or ("", None)
    with transaction.atomic():
        analysis = ImpactAnalysis.objects.create(
            started_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
            reading=reading,
            reading_index=index,
            fields=[
                [it.rules, it.field, changeable_fields(RULE_SETS[it.rules])[it.field], it.value]
                for it in change.fields
            ],
            first_day=days.first,
            last_day=days.last,
        )
        ranges = key_ranges("rounds_round", weight="bet_count", most=_BETS, within=days.keys)
        parts = [ImpactPart(analysis=analysis, rules=name) for name in changed]
        parts += [
            ImpactPart(analysis=analysis, first_key=keys.first, end_key=keys.end) for keys in ranges
        ]
        ImpactPart.objects.bulk_create(parts, batch_size=_AT_ONCE)
    return analysis


def require_days(days: Days) -> None:
    """Raises BadChange for days in the wrong order, DaysDetached for rounds in the archive."""
    if days.first is not None and days.last is not None and days.last < days.first:
        raise BadChange("last day", days.last, f"{days.first} or later")
    if months := detached_with_bookings(days.first, days.last):
        raise DaysDetached(months)


def work_on_part(analysis: ImpactAnalysis, *, now: Callable[[], datetime]) -> bool:
    """Claims a free part and computes it. False if there is none.

    What the changed rules cannot judge ends the analysis with its error.
    """
    try:
        return retry_on_conflict(lambda: _work_on_part(analysis, now))
    except _CannotJudge as error:
        ImpactAnalysis.objects.filter(pk=analysis.pk, finished_at=None).update(
            error=str(error), finished_at=now()
        )
        return False


def finish_analysis(analysis_id: int, *, now: Callable[[], datetime]) -> bool:
    """Finishes and records an analysis whose parts are all done. Returns whether it is finished."""
    parts = ImpactPart.objects.filter(analysis=analysis_id)
    return finish_run(ImpactAnalysis, analysis_id, parts=parts, entry_of=_entry, now=now)


def figures_of(analysis: ImpactAnalysis) -> dict[str, int]:
    """The counts of an analysis so far."""
    return sums_of(analysis.parts.all(), FIGURES)


class _CannotJudge(Exception):
    """The changed rule set raises an error: it contradicts itself."""


def _work_on_part(analysis: ImpactAnalysis, now: Callable[[], datetime]) -> bool:
    part = claim_part(ImpactPart.objects.filter(analysis=analysis))
    if part is None:
        return False
    change = change_of(analysis)
    try:
        changed = change.changed_rules()  # another release may lack the field
        if part.rules:
            part.returns = _returns(part.rules, changed[part.rules], change.reading)
        else:
            with reading_only():
                keys = KeyRange(part.first_key, part.end_key)
                comparison = compare_rounds(keys, RULE_SETS, changed)
            for name in FIGURES:
                setattr(part, name, getattr(comparison, name))
            ImpactLine.objects.bulk_create(_lines(part, comparison), batch_size=_AT_ONCE)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise _CannotJudge(f"{type(error).__name__}: {error}") from error
    part.done_at = now()
    part.save(update_fields=[*FIGURES, "returns", "done_at"])
    return True


def _returns(name: str, changed: RuleSet, reading: ReadingKey | None) -> list[list[str]]:
    from compliance.impact.expected_returns import (  # noqa: PLC0415  numba takes 60 MB per process
        expected_returns,
    )

    expected = expected_returns(RULE_SETS[name], changed, reading)
    return [[it.kind, percent_text(it.before), percent_text(it.after)] for it in expected]


def _lines(part: ImpactPart, comparison: Comparison) -> list[ImpactLine]:
    return [
        ImpactLine(
            part=part,
            rules=key.rules,
            kind=key.kind,
            customer_id=key.customer,
            bets=line.bets,
            staked_cents=line.staked_cents,
            paid_cents=line.paid_cents,
            paid_chips_cents=line.paid_chips_cents,
            other_cents=line.other_cents,
            other_chips_cents=line.other_chips_cents,
            example_id=line.example,
        )
        for key, line in comparison.lines.items()
    ]


def _entry(analysis: ImpactAnalysis) -> Entry:
    def text(day: date | None) -> str | None:
        return None if day is None else day.isoformat()

    sums = ImpactLine.objects.filter(part__analysis=analysis).aggregate(
        paid_cents=Sum("paid_cents", default=0), other_cents=Sum("other_cents", default=0)
    )
    details: dict[str, Any] = {
        "reading": analysis.reading and f"{analysis.reading}:{analysis.reading_index}",
        "fields": analysis.fields,
        "from": text(analysis.first_day),
        "to": text(analysis.last_day),
        **figures_of(analysis),
        **{name: int(cents) for name, cents in sums.items()},
    }
    return Entry("IMPACT_ANALYSED", f"impact-analysis:{analysis.pk}", details)
