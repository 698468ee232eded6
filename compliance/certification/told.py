"""A rule set's returns as plain values: what the command prints and what a certificate holds."""

from collections.abc import Sequence
from typing import Any

from compliance.certification.certified import Certified, certified_returns
from compliance.certification.exact import percent_text
from compliance.certification.other_readings import OtherReading, other_readings
from compliance.certification.verdict import MULTIPLIERS
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.catalogue import rule_set
from rounds.rules.rule_set import RuleSet


def told_of(rules: RuleSet) -> list[dict[str, Any]]:
    """Every return of the rule set, computed now; JSON values only, the same each time."""
    others = tuple(other_readings(rules))
    return [told(one, others) for one in certified_returns(rules)]


def told(one: Certified, others: Sequence[OtherReading]) -> dict[str, Any]:
    """One return, with what its bet would be worth under readings that were not adopted."""
    found: dict[str, Any] = {
        "rules": one.rules,
        "bet": one.kind,
        "basis": one.basis,
        "strategy": one.strategy,
        "rtp": percent_text(one.share),
        "declared": one.declared.percent if one.declared else None,
        "verdict": one.verdict.word,
        "why": one.verdict.why,
        "leaves_out": MULTIPLIERS if _leaves_out_multipliers(one) else None,
    }
    if one.computed is not None:
        found["exact"] = str(one.computed.rtp)
        found["hit_frequency"] = percent_text(one.computed.hit_frequency)
        found["variance"] = f"{float(one.computed.variance):.6f}"
        found["outcomes"] = [
            {
                "outcome": outcome.name,
                "chance": str(outcome.probability),
                "pays": str(outcome.pays),
            }
            for outcome in one.computed.outcomes
        ]
    found["other_readings"] = [
        {
            "ambiguity": other.ambiguity,
            "reading": other.reading.says,
            "rtp": percent_text(other.share),
        }
        for other in others
        if one.is_leading and other.kind == one.kind
    ]
    return found


def _leaves_out_multipliers(one: Certified) -> bool:
    return one.kind == MAIN and rule_set(one.rules).multiplier_cards
