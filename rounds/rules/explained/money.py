"""The steps about money: winnings, returned and lost stakes."""

from collections.abc import Iterator
from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import ExactMoney, Money, Step, make_step
from rounds.rules.facts import Bet
from rounds.rules.odds import Odds

WINS: Final = gettext_noop("%(staked)s at odds of %(odds)s wins %(winnings)s.")
ROUNDED: Final = gettext_noop(
    "The exact amount is %(exact)s. Winnings are rounded to the nearest cent."
)
HALF_CENT_UP: Final = gettext_noop(
    "The exact amount is %(exact)s. Winnings are rounded to the nearest cent, and half a cent is"
    " rounded up, in your favour."
)
STAKE_BACK: Final = gettext_noop("The stake of %(staked)s is also returned.")
STAKE_RETURNED: Final = gettext_noop("The stake of %(staked)s is returned.")
STAKE_LOST: Final = gettext_noop("The stake of %(staked)s is lost.")
CHIP_STAYS: Final = gettext_noop(
    "The stake was a golden chip of %(stake)s, which belongs to the house: a win pays the winnings"
    " without it."
)
CHIP_RETURNED: Final = gettext_noop("The golden chip of %(stake)s is returned to you as a chip.")
CHIP_LOST: Final = gettext_noop("The golden chip of %(stake)s is lost.")


def winnings(staked_cents: int, odds: Odds) -> Iterator[Step]:
    """The winnings of a stake, and their rounding."""
    won = odds.winnings(staked_cents)
    yield make_step(WINS, cash=won, staked=Money(staked_cents), odds=odds, winnings=Money(won))
    yield from rounding(staked_cents, odds)


def rounding(staked_cents: int, odds: Odds) -> Iterator[Step]:
    """The rounding of winnings, if there was any."""
    parts_won = staked_cents * odds.won
    rest = parts_won % odds.staked
    if rest:
        text = HALF_CENT_UP if 2 * rest == odds.staked else ROUNDED
        yield make_step(text, exact=ExactMoney(parts_won, odds.staked))


def explain_payment(bet: Bet, odds: Odds | None, *, chip_rule: str | None = None) -> Iterator[Step]:
    """The money of a bet other than a hand; ``odds`` are None if it loses.

    ``chip_rule`` is the rule by which a golden chip is not paid out.
    """
    if odds is None:
        yield explain_loss(bet)
        return
    yield from winnings(bet.stake_cents, odds)
    if bet.golden:
        yield make_step(CHIP_STAYS, rule=chip_rule, stake=Money(bet.stake_cents))
    else:
        yield make_step(STAKE_BACK, cash=bet.stake_cents, staked=Money(bet.stake_cents))


def explain_loss(bet: Bet) -> Step:
    """The loss of a stake without a raise."""
    if bet.golden:
        return make_step(CHIP_LOST, stake=Money(bet.stake_cents))
    return make_step(STAKE_LOST, staked=Money(bet.stake_cents))
