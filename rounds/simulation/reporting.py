"""Payouts reported by the simulated studio."""

from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe


def report_payouts(dealt: Round, *, rule_set: RuleSet, known: Shoe | None) -> Round:
    """The round with every payout reported as graded; unchanged if the rules do not grade it."""
    grades = rule_set.judge(dealt, known).grades
    if not grades:
        return dealt
    bets = tuple(
        bet._replace(reported_cents=grade.payout_cents)
        for bet, grade in zip(dealt.bets, grades, strict=True)
    )
    return dealt._replace(bets=bets)
