"""Explanations of compact rounds, for tests of single steps."""

from rounds.rules.catalogue import rule_set
from rounds.rules.explained.explanation import Explanation, Step
from rounds.rules.facts import Bet
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import BLACKJACK, dealt, judged

ONE_TO_ONE = Odds(1, 1)
THREE_TO_TWO = Odds(3, 2)


def explained(
    text: str, *bets: Bet, rules: str = BLACKJACK, **fields: object
) -> tuple[Explanation, ...]:
    """The explanation of each bet of a round of these cards."""
    round_ = dealt(text, *bets, rules=rules, **fields)
    verdict = judged(round_)
    assert verdict.status in ("settled", "void"), verdict.anomalies
    graded = list(zip(round_.bets, verdict.grades, strict=True))
    return rule_set(rules).explain(round_, graded)


def steps_of(text: str, *bets: Bet, rules: str = BLACKJACK, **fields: object) -> list[Step]:
    """The steps of the first bet; those of all bets add up to their payouts."""
    explanations = explained(text, *bets, rules=rules, **fields)
    assert all(explanation.adds_up for explanation in explanations)
    return list(explanations[0].steps)


def sentences(steps: list[Step]) -> list[str]:
    """The English sentences without their values."""
    return [step.text for step in steps]


def without_values(step: Step) -> tuple[str, str | None, int, int]:
    """A step's sentence, rule and money."""
    return step.text, step.rule, step.cash_cents, step.chips_cents
