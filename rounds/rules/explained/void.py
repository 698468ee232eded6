"""The steps of void bets, for every game."""

from collections.abc import Iterator
from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Moment, Money, Step, make_step
from rounds.rules.explained.money import CHIP_RETURNED, STAKE_RETURNED
from rounds.rules.facts import Bet, Round
from rounds.rules.void import BY_DECISION, DISCONNECTED, LATE, MALFUNCTION, REFUNDED

TOO_LATE: Final = gettext_noop(
    "Your bet was placed at %(placed)s, after betting had closed at %(closed)s, so it was not"
    " valid."
)
TOO_EARLY: Final = gettext_noop(
    "Your bet was placed at %(placed)s, before betting opened at %(opened)s, so it was not valid."
)
LEFT_BEFORE: Final = gettext_noop(
    "Your connection was lost at %(left)s, before betting closed at %(closed)s, so your bets of"
    " this round were not valid."
)
CANCELLED: Final = gettext_noop("The studio declared a malfunction, so the round was cancelled.")
DECIDED: Final = gettext_noop(
    "The operator decided to cancel the round, so your bet was not valid."
)
GIVEN_BACK: Final = gettext_noop("The operator decided to refund your bet, so it was not valid.")
RAISE_RETURNED: Final = gettext_noop("The raise of %(raised)s is also returned.")


def explain_void(dealt: Round, bet: Bet, reason: str) -> Step:
    """The reason why a bet is void, for reasons of every game."""
    closed = Moment(dealt.closed_at)
    if reason == MALFUNCTION:
        return make_step(CANCELLED, rule=MALFUNCTION)
    if reason == BY_DECISION:
        return make_step(DECIDED, rule=BY_DECISION)
    if reason == REFUNDED:
        return make_step(GIVEN_BACK, rule=REFUNDED)
    if reason == DISCONNECTED:
        left = [entry.at for entry in dealt.disconnects if entry.player == bet.player]
        return make_step(LEFT_BEFORE, rule=DISCONNECTED, left=Moment(left[0]), closed=closed)
    placed = Moment(bet.placed_at)
    if bet.placed_at > dealt.closed_at:
        return make_step(TOO_LATE, rule=LATE, placed=placed, closed=closed)
    return make_step(TOO_EARLY, rule=LATE, placed=placed, opened=Moment(dealt.opened_at))


def explain_refund(bet: Bet) -> Iterator[Step]:
    """The return of everything staked on a void bet; a golden chip is returned as a chip."""
    if bet.golden:
        yield make_step(CHIP_RETURNED, chips=bet.stake_cents, stake=Money(bet.stake_cents))
    else:
        yield make_step(STAKE_RETURNED, cash=bet.stake_cents, staked=Money(bet.stake_cents))
    if bet.raised_cents:
        yield make_step(RAISE_RETURNED, cash=bet.raised_cents, raised=Money(bet.raised_cents))
