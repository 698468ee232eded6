"""A rule set's returns as plain values: what the command prints and what a certificate holds."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from compliance.certification.blackjack.strategy import UPCARDS, Strategy
from compliance.certification.bonus_return import BonusReturn
from compliance.certification.certified import INITIAL, Certified, certified_returns
from compliance.certification.exact import percent_text
from compliance.certification.implied import implied_of
from compliance.certification.multiplied_return import MultipliedReturn
from compliance.certification.other_readings import OtherReading, other_readings
from compliance.certification.verdict import MULTIPLIERS
from compliance.certification.weights_document import OperatorWeights
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.totals import ACE
from rounds.rules.catalogue import rule_set
from rounds.rules.rule_set import RuleSet


def told_of(rules: RuleSet, weights: OperatorWeights | None = None) -> list[dict[str, Any]]:
    """Every return of the rule set, computed now; JSON values only, the same each time."""
    others = tuple(other_readings(rules))
    return [told(one, others) for one in certified_returns(rules, weights)]


def told(one: Certified, others: Sequence[OtherReading]) -> dict[str, Any]:
    """One return, with what its bet would be worth under readings that were not adopted."""
    found: dict[str, Any] = {
        "rules": one.rules,
        "bet": one.kind,
        "basis": one.basis,
        "strategy": one.strategy,
        "rtp": percent_text(one.share),
        "declared": one.declared.percent if one.declared else None,
        "difference": percent_text(one.share - one.declared.share) if one.declared else None,
        "verdict": one.verdict.word,
        "why": one.verdict.why,
        "leaves_out": MULTIPLIERS if _leaves_out_multipliers(one) else None,
    }
    if one.computed is not None:
        found["exact"] = str(one.computed.rtp)
        found |= _spread(one.computed.hit_frequency, one.computed.variance)
        found["outcomes"] = [
            {
                "outcome": outcome.name,
                "chance": str(outcome.probability),
                "pays": str(outcome.pays),
            }
            for outcome in one.computed.outcomes
        ]
    if one.spread is not None:
        found |= _spread(one.spread.hit_frequency, one.spread.variance)
    if one.chart is not None:
        found["strategy_chart"] = _chart(one.chart)
    if one.weighted is not None:
        found |= _weighted(one.weighted, one.basis)
    if one.shown is not None:
        found["shown_play"] = {
            "rtp": percent_text(Fraction(one.shown.per_initial)),
            "standard_error": percent_text(Fraction(one.shown.standard_error)),
            "rounds": one.shown.rounds,
        }
    if one.is_leading and one.kind == MAIN and (implied := implied_of(rule_set(one.rules))):
        found["implied"] = implied
    played = (one.kind, one.basis, one.strategy)
    found["other_readings"] = [
        _other(other) for other in others if (other.kind, other.basis, other.strategy) == played
    ]
    return found


def _spread(hit_frequency: Fraction | float, variance: Fraction | float) -> dict[str, str]:
    return {
        "hit_frequency": percent_text(Fraction(hit_frequency)),
        "variance": f"{float(variance):.6f}",
        "standard_deviation": f"{sqrt(variance):.6f}",
    }


def _chart(chart: Strategy) -> dict[str, Any]:
    """The decisions as letters (`strategy`), a row for each hand from the least."""
    rows = [{"hand": hand, "decisions": list(letters)} for hand, letters in chart.items()]
    return {"upcards": ["A" if value == ACE else str(value) for value in UPCARDS], "rows": rows}


def _other(other: OtherReading) -> dict[str, str]:
    point = other.point
    return {
        "ambiguity": other.ambiguity,
        "title": point.title,
        "adopted": point.readings[point.adopted].says,
        "reading": other.reading.says,
        "rtp": percent_text(other.share),
    }


def _weighted(weighted: MultipliedReturn | BonusReturn, basis: str) -> dict[str, Any]:
    """What an operator's weights made of a return."""
    if isinstance(weighted, MultipliedReturn):
        is_initial = basis == INITIAL
        without = weighted.without_per_initial if is_initial else weighted.without_per_staked
        return {"without_multipliers": percent_text(Fraction(without))}
    return {
        **_spread(weighted.hit_frequency, weighted.variance),
        "mean_multipliers": {name: f"{mean:.4f}" for name, mean in weighted.means.items()},
    }


def _leaves_out_multipliers(one: Certified) -> bool:
    return one.kind == MAIN and one.weighted is None and rule_set(one.rules).multiplier_cards
