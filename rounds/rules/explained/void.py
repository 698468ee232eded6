"""Why a bet never counted, whatever the game, and what comes back."""

from collections.abc import Iterator
from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Moment, Money, Step, say
from rounds.rules.explained.money import CHIP_RETURNED, STAKE_RETURNED
from rounds.rules.facts import Bet, Round
from rounds.rules.void import BY_DECISION, DISCONNECTED, LATE, MALFUNCTION, REFUNDED

TOO_LATE: Final = gettext_noop(
    "Your bet was placed at %(placed)s, after betting had closed at %(closed)s, so it did not"
    " count."
)
TOO_EARLY: Final = gettext_noop(
    "Your bet was placed at %(placed)s, before betting opened at %(opened)s, so it did not count."
)
LEFT_BEFORE: Final = gettext_noop(
    "Your connection was lost at %(left)s, before betting closed at %(closed)s, so your bets of"
    " this round did not count."
)
CANCELLED: Final = gettext_noop(
    "The studio declared that the round had broken down, so the round was cancelled."
)
DECIDED: Final = gettext_noop(
    "The operator decided to cancel the round, so your bet did not count."
)
GIVEN_BACK: Final = gettext_noop("The operator decided to give your bet back, so it did not count.")
RAISE_RETURNED: Final = gettext_noop("What was added to it, %(raised)s, comes back as well.")


def why_void(dealt: Round, bet: Bet, reason: str) -> Step:
    """The decision that a bet never counted, for a reason that every game has."""
    closed = Moment(dealt.closed_at)
    if reason == MALFUNCTION:
        return say(CANCELLED, rule=MALFUNCTION)
    if reason == BY_DECISION:
        return say(DECIDED, rule=BY_DECISION)
    if reason == REFUNDED:
        return say(GIVEN_BACK, rule=REFUNDED)
    if reason == DISCONNECTED:
        left = [gone.at for gone in dealt.disconnects if gone.player == bet.player]
        return say(LEFT_BEFORE, rule=DISCONNECTED, left=Moment(left[0]), closed=closed)
    placed = Moment(bet.placed_at)
    if bet.placed_at > dealt.closed_at:
        return say(TOO_LATE, rule=LATE, placed=placed, closed=closed)
    return say(TOO_EARLY, rule=LATE, placed=placed, opened=Moment(dealt.opened_at))


def give_back(bet: Bet) -> Iterator[Step]:
    """Everything staked on a bet that never counted; a golden chip goes back as a chip."""
    if bet.golden:
        yield say(CHIP_RETURNED, chips=bet.stake_cents, stake=Money(bet.stake_cents))
    else:
        yield say(STAKE_RETURNED, cash=bet.stake_cents, staked=Money(bet.stake_cents))
    if bet.raised_cents:
        yield say(RAISE_RETURNED, cash=bet.raised_cents, raised=Money(bet.raised_cents))
