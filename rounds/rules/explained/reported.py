"""Explanations of bets, with a step for payouts that the studio reported differently."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Explanation, Graded, Money, Step, make_step
from rounds.rules.facts import Bet
from rounds.rules.verdict import Grade
from rounds.rules.void import BY_DECISION, MALFUNCTION, REFUNDED

_NEVER_COMPARED: Final = ((MALFUNCTION,), (BY_DECISION,), (REFUNDED,))
"""Reasons of bets that were voided as a whole round or by decision."""

REPORTED: Final = gettext_noop(
    "The studio reported %(reported)s for this bet; under the rules it is %(payout)s."
)


def explain_each(
    graded: Sequence[Graded], steps_of: Callable[[Bet, Grade], Iterable[Step]]
) -> tuple[Explanation, ...]:
    """The explanation of each bet, in order."""
    return tuple(
        Explanation(bet, grade, (*steps_of(bet, grade), *_compare(bet, grade)))
        for bet, grade in graded
    )


def _compare(bet: Bet, grade: Grade) -> Iterator[Step]:
    """The reported payout, if it is compared and differs (contract, detail 21)."""
    reported_cents = bet.reported_cents
    if reported_cents in (None, grade.payout_cents) or grade.reasons in _NEVER_COMPARED:
        return
    yield make_step(REPORTED, reported=Money(reported_cents or 0), payout=Money(grade.payout_cents))
