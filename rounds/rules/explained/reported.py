"""Explanations of the bets of a round, and where a studio reported another payout."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Explanation, Graded, Money, Step, say
from rounds.rules.facts import Bet
from rounds.rules.verdict import Grade
from rounds.rules.void import BY_DECISION, MALFUNCTION, REFUNDED

_NEVER_COMPARED: Final = ((MALFUNCTION,), (BY_DECISION,), (REFUNDED,))
"""Reasons of bets that a decision cancelled."""

REPORTED: Final = gettext_noop(
    "The studio reported %(reported)s for this bet; by the rules it is %(payout)s."
)


def explain_each(
    graded: Sequence[Graded], steps_of: Callable[[Bet, Grade], Iterable[Step]]
) -> tuple[Explanation, ...]:
    """An explanation of each bet from its steps, in their order."""
    return tuple(
        Explanation(bet, grade, (*steps_of(bet, grade), *_compare(bet, grade)))
        for bet, grade in graded
    )


def _compare(bet: Bet, grade: Grade) -> Iterator[Step]:
    """What the studio reported, where it differs and is compared at all (contract, detail 21)."""
    reported_cents = bet.reported_cents
    if reported_cents in (None, grade.payout_cents) or grade.reasons in _NEVER_COMPARED:
        return
    yield say(REPORTED, reported=Money(reported_cents or 0), payout=Money(grade.payout_cents))
