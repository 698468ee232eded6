"""What a studio says it credited, where it says so: what its rules give, for every bet."""

from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe


def report_payouts(dealt: Round, *, rule_set: RuleSet, known: Shoe | None) -> Round:
    """The round with every payout reported as the rule set grades it.

    A round that the rules do not grade stays as it is.
    """
    grades = rule_set.judge(dealt, known).grades
    if not grades:
        return dealt
    bets = tuple(
        bet._replace(reported_cents=grade.payout_cents)
        for bet, grade in zip(dealt.bets, grades, strict=True)
    )
    return dealt._replace(bets=bets)
