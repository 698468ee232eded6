"""JSON representation of a rule set's returns, for the command and for certificates."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from compliance.certification.returns.alternative_readings import OtherReading, other_readings
from compliance.certification.returns.blackjack.strategy import UPCARDS, Strategy
from compliance.certification.returns.bonus_return import BonusReturn
from compliance.certification.returns.certified_returns import (
    INITIAL,
    CertifiedReturn,
    certified_returns,
)
from compliance.certification.returns.exact_returns import percent_text
from compliance.certification.returns.implied_frequencies import implied_of
from compliance.certification.returns.multiplied_return import MultipliedReturn
from compliance.certification.returns.verdict import MULTIPLIERS
from compliance.certification.returns.weights_document import OperatorWeights
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.totals import ACE
from rounds.rules.catalogue import rule_set
from rounds.rules.rule_set import RuleSet


def returns_to_json(rules: RuleSet, weights: OperatorWeights | None = None) -> list[dict[str, Any]]:
    """Every return of the rule set as JSON values; deterministic."""
    others = tuple(other_readings(rules))
    return [return_to_json(row, others) for row in certified_returns(rules, weights)]


def return_to_json(row: CertifiedReturn, others: Sequence[OtherReading]) -> dict[str, Any]:
    """A return with the alternative readings of its bet."""
    document: dict[str, Any] = {
        "rules": row.rules,
        "bet": row.kind,
        "basis": row.basis,
        "strategy": row.strategy,
        "rtp": percent_text(row.share),
        "declared": row.declared.percent if row.declared else None,
        "difference": percent_text(row.share - row.declared.share) if row.declared else None,
        "verdict": row.verdict.word,
        "why": row.verdict.why,
        "leaves_out": MULTIPLIERS if _leaves_out_multipliers(row) else None,
    }
    if row.computed is not None:
        document["exact"] = str(row.computed.rtp)
        document |= _moments(row.computed.hit_frequency, row.computed.variance)
        document["outcomes"] = [
            {"outcome": outcome.name, "chance": str(outcome.probability), "pays": str(outcome.pays)}
            for outcome in row.computed.outcomes
        ]
    if row.moments is not None:
        document |= _moments(row.moments.hit_frequency, row.moments.variance)
    if row.chart is not None:
        document["strategy_chart"] = _chart(row.chart)
    if row.weighted is not None:
        document |= _weighted(row.weighted, row.basis)
    if row.exposed is not None:
        document["shown_play"] = {
            "rtp": percent_text(Fraction(row.exposed.per_initial)),
            "standard_error": percent_text(Fraction(row.exposed.standard_error)),
            "rounds": row.exposed.rounds,
        }
    if row.is_leading and row.kind == MAIN and (implied := implied_of(rule_set(row.rules))):
        document["implied"] = implied
    played = (row.kind, row.basis, row.strategy)
    document["other_readings"] = [
        _other(other) for other in others if (other.kind, other.basis, other.strategy) == played
    ]
    return document


def _moments(hit_frequency: Fraction | float, variance: Fraction | float) -> dict[str, str]:
    return {
        "hit_frequency": percent_text(Fraction(hit_frequency)),
        "variance": f"{float(variance):.6f}",
        "standard_deviation": f"{sqrt(variance):.6f}",
    }


def _chart(chart: Strategy) -> dict[str, Any]:
    """The decisions as letters (`strategy`), one row per hand, lowest first."""
    rows = [{"hand": hand, "decisions": list(letters)} for hand, letters in chart.items()]
    return {"upcards": ["A" if value == ACE else str(value) for value in UPCARDS], "rows": rows}


def _other(other: OtherReading) -> dict[str, str]:
    point = other.point
    return {
        "ambiguity": other.ambiguity,
        "title": point.title,
        "adopted": point.settled_by.says,
        "reading": other.reading.says,
        "rtp": percent_text(other.share),
    }


def _weighted(weighted: MultipliedReturn | BonusReturn, basis: str) -> dict[str, Any]:
    """Figures that depend on an operator's weights."""
    if isinstance(weighted, MultipliedReturn):
        is_initial = basis == INITIAL
        without = weighted.without_per_initial if is_initial else weighted.without_per_staked
        return {"without_multipliers": percent_text(Fraction(without))}
    return {
        **_moments(weighted.hit_frequency, weighted.variance),
        "mean_multipliers": {name: f"{mean:.4f}" for name, mean in weighted.means.items()},
    }


def _leaves_out_multipliers(row: CertifiedReturn) -> bool:
    return row.kind == MAIN and row.weighted is None and rule_set(row.rules).multiplier_cards
