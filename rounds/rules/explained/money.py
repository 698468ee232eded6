"""The steps of money: what is won, what comes back, what is lost."""

from collections.abc import Iterator
from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import ExactMoney, Money, Step, say
from rounds.rules.facts import Bet
from rounds.rules.odds import Odds

WINS: Final = gettext_noop("%(staked)s at odds of %(odds)s wins %(winnings)s.")
ROUNDED: Final = gettext_noop(
    "The exact figure is %(exact)s: winnings are rounded to the nearest cent."
)
HALF_CENT_UP: Final = gettext_noop(
    "The exact figure is %(exact)s: winnings are rounded to the nearest cent, and half a cent is"
    " rounded up, in your favour."
)
STAKE_BACK: Final = gettext_noop("The stake of %(staked)s comes back as well.")
STAKE_RETURNED: Final = gettext_noop("The stake of %(staked)s comes back.")
STAKE_LOST: Final = gettext_noop("The stake of %(staked)s is lost.")
CHIP_STAYS: Final = gettext_noop(
    "The stake was a golden chip of %(stake)s, which belongs to the house: a win pays the winnings"
    " without it."
)
CHIP_RETURNED: Final = gettext_noop("The golden chip of %(stake)s comes back to you as a chip.")
CHIP_LOST: Final = gettext_noop("The golden chip of %(stake)s is used up.")


def winnings(staked_cents: int, odds: Odds) -> Iterator[Step]:
    """What a stake wins, and how that was rounded."""
    won = odds.winnings(staked_cents)
    yield say(WINS, cash=won, staked=Money(staked_cents), odds=odds, winnings=Money(won))
    yield from rounding(staked_cents, odds)


def rounding(staked_cents: int, odds: Odds) -> Iterator[Step]:
    """How winnings were rounded; nothing where they are whole cents."""
    parts_won = staked_cents * odds.won
    rest = parts_won % odds.staked
    if rest:
        text = HALF_CENT_UP if 2 * rest == odds.staked else ROUNDED
        yield say(text, exact=ExactMoney(parts_won, odds.staked))


def pay_at_once(bet: Bet, odds: Odds | None, *, chip_rule: str | None = None) -> Iterator[Step]:
    """The money of a bet that is decided at once: what it wins, None where it loses.

    ``chip_rule`` is the rule by which a golden chip is not paid out, at games that take them.
    """
    if odds is None:
        yield lost(bet)
        return
    yield from winnings(bet.stake_cents, odds)
    if bet.golden:
        yield say(CHIP_STAYS, rule=chip_rule, stake=Money(bet.stake_cents))
    else:
        yield say(STAKE_BACK, cash=bet.stake_cents, staked=Money(bet.stake_cents))


def lost(bet: Bet) -> Step:
    """A stake that is lost, never raised."""
    if bet.golden:
        return say(CHIP_LOST, stake=Money(bet.stake_cents))
    return say(STAKE_LOST, staked=Money(bet.stake_cents))
