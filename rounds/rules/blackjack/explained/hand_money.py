"""The steps about the money of one hand."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.multipliers import Multipliers, factor_of
from rounds.rules.blackjack.pay import Result
from rounds.rules.blackjack.reasons import GOLDEN_CHIP, MULTIPLIED_BLACKJACK
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Factor, Money, MultiplierCards, Step, make_step
from rounds.rules.explained.money import (
    CHIP_LOST,
    CHIP_RETURNED,
    CHIP_STAYS,
    STAKE_BACK,
    STAKE_LOST,
    STAKE_RETURNED,
    rounding,
    winnings,
)
from rounds.rules.odds import Odds

DOUBLED_TO: Final = gettext_noop("With the double, the stake on this hand was %(staked)s.")
HELD_MULTIPLIERS: Final = gettext_noop(
    "The hand contains multiplier cards. Each different card counts once: %(cards)s, in total"
    " %(factor)s."
)
WINS_MULTIPLIED: Final = gettext_noop(
    "%(staked)s at odds of %(odds)s and %(factor)s wins %(winnings)s. With multiplier cards the"
    " stake is not returned."
)
DOUBLE_BACK: Final = gettext_noop(
    "The double of %(raised)s is returned; the stake of %(stake)s is lost."
)
DOUBLE_BACK_CHIP_LOST: Final = gettext_noop(
    "The double of %(raised)s is returned; the golden chip of %(stake)s is lost."
)
CASH_BACK: Final = gettext_noop("The double of %(raised)s, which was cash, is also returned.")
CHIP_AND_CASH_LOST: Final = gettext_noop(
    "The golden chip of %(stake)s and the double of %(raised)s are lost."
)


class HandStake(NamedTuple):
    """One hand of a bet: its cards, its result and its stake before raises."""

    cards: tuple[str, ...]
    result: Result
    stake_cents: int
    golden: bool

    @property
    def raised_cents(self) -> int:
        """The raise of a double."""
        return self.result.doubles * self.stake_cents

    @property
    def staked_cents(self) -> int:
        """Stake and raise."""
        return self.stake_cents + self.raised_cents


def explain_money(game: BlackjackGame, multipliers: Multipliers, on: HandStake) -> Iterator[Step]:
    """The credit of the hand, without that of a golden chip (``explain_golden_chip``)."""
    if on.raised_cents:
        yield make_step(DOUBLED_TO, staked=Money(on.staked_cents))
    if on.result.wins is None:
        yield from _not_won(on)
    elif on.result.stake_returns:
        yield from winnings(on.staked_cents, on.result.wins)
        yield from _stake_back(on, STAKE_BACK)
    else:
        yield from _multiplied(game, multipliers, on, on.result.wins)


def explain_golden_chip(on: HandStake) -> Iterator[Step]:
    """The golden chip of a hand that did not lose it."""
    if on.golden and on.result.stake_returns:
        stake = Money(on.stake_cents)
        if on.result.wins is None:
            yield make_step(CHIP_RETURNED, rule=GOLDEN_CHIP, chips=on.stake_cents, stake=stake)
        else:
            yield make_step(CHIP_STAYS, rule=GOLDEN_CHIP, stake=stake)


def _stake_back(on: HandStake, text: str) -> Iterator[Step]:
    if not on.golden:
        yield make_step(text, cash=on.staked_cents, staked=Money(on.staked_cents))
    elif on.raised_cents:
        yield make_step(CASH_BACK, cash=on.raised_cents, raised=Money(on.raised_cents))


def _not_won(on: HandStake) -> Iterator[Step]:
    stake, raised = Money(on.stake_cents), Money(on.raised_cents)
    if on.result.stake_returns:
        yield from _stake_back(on, STAKE_RETURNED)
    elif on.result.double_returns:
        text = DOUBLE_BACK_CHIP_LOST if on.golden else DOUBLE_BACK
        yield make_step(text, cash=on.raised_cents, stake=stake, raised=raised)
    elif not on.golden:
        yield make_step(STAKE_LOST, staked=Money(on.staked_cents))
    elif on.raised_cents:
        yield make_step(CHIP_AND_CASH_LOST, stake=stake, raised=raised)
    else:
        yield make_step(CHIP_LOST, stake=stake)


def _multiplied(
    game: BlackjackGame, multipliers: Multipliers, on: HandStake, wins: Odds
) -> Iterator[Step]:
    held = {card: multipliers[card] for card in on.cards if card in multipliers}
    factor = Factor(factor_of(on.cards, multipliers) or Odds(1, 1))
    is_blackjack = on.result.reason == MULTIPLIED_BLACKJACK
    won = wins.winnings(on.staked_cents)
    yield make_step(HELD_MULTIPLIERS, cards=MultiplierCards(tuple(held.items())), factor=factor)
    yield make_step(
        WINS_MULTIPLIED,
        cash=won,
        staked=Money(on.staked_cents),
        odds=game.blackjack_pays if is_blackjack else game.win_pays,
        factor=factor,
        winnings=Money(won),
    )
    yield from rounding(on.staked_cents, wins)
