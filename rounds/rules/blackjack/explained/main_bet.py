"""The steps of main bets: hands, the dealer's hand, the outcome of each hand, and its money."""

from collections.abc import Iterator, Sequence
from typing import Final

from rounds.rules.blackjack.bets import play_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.explained.dealer import ended_at_once, explain_dealer
from rounds.rules.blackjack.explained.hand import cards_of_hand, explain_hands
from rounds.rules.blackjack.explained.hand_money import (
    HandStake,
    explain_golden_chip,
    explain_money,
)
from rounds.rules.blackjack.explained.outcome import explain_outcome
from rounds.rules.blackjack.interpret_round import Reading
from rounds.rules.blackjack.multipliers import Multipliers
from rounds.rules.blackjack.pay import Result
from rounds.rules.blackjack.play import DOUBLE, SPLIT
from rounds.rules.blackjack.reasons import BUST
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import HALVES, THE_HAND, Money, Step, make_step
from rounds.rules.facts import Bet

NOT_RAISED_ON_SPLIT: Final = gettext_noop(
    "You had chosen not to raise with that player, so your stake followed only the first hand of"
    " the split."
)
NOT_RAISED_ON_DOUBLE: Final = gettext_noop(
    "You had chosen not to raise with that player, so your stake was not raised when the hand was"
    " doubled."
)
ON_EACH_HAND: Final = gettext_noop("The stake on each of the two hands was %(stake)s.")
CHIP_ON_FIRST_HAND: Final = gettext_noop(
    "The golden chip was on the first hand, %(stake)s in cash on the second."
)
TOGETHER: Final = gettext_noop("The two hands together pay %(payout)s.")


def explain_main_bet(
    game: BlackjackGame,
    reading: Reading,
    multipliers: Multipliers,
    bet: Bet,
    results: Sequence[Result],
) -> Iterator[Step]:
    """The steps of a main bet that counts; ``results`` are those of its hands."""
    table, play = reading.table_of(bet), play_of(bet, reading.classified)
    box = bet.box or 0
    hands = table.boxes[box, play].hands[: len(results)]
    stakes = [
        HandStake(
            cards_of_hand(table, box, hand), result, bet.stake_cents, bet.golden and not number
        )
        for number, (hand, result) in enumerate(zip(hands, results, strict=True))
    ]
    is_split = len(stakes) > 1
    may_stand = bool(play) or not ended_at_once(game, table.dealer)
    yield from explain_hands(table, box, play, hands, may_stand=may_stand)
    if bet.behind and not bet.follows:
        yield from _not_raised(play)
    if any(result.reason != BUST for result in results):
        yield from explain_dealer(game, table, was_played=bool(play))
    if is_split:
        yield make_step(
            CHIP_ON_FIRST_HAND if bet.golden else ON_EACH_HAND, stake=Money(bet.stake_cents)
        )
    names = HALVES if is_split else (THE_HAND,)
    credited = 0
    for name, hand, on in zip(names, hands, stakes, strict=True):
        yield explain_outcome(game, name, hand, table.dealer, on.result)
        for step in explain_money(game, multipliers, on):
            credited += step.cash_cents
            yield step
    for step in explain_golden_chip(stakes[0]):
        credited += step.chips_cents
        yield step
    if is_split and credited:
        yield make_step(TOGETHER, payout=Money(credited))


def _not_raised(play: str) -> Iterator[Step]:
    """A bet behind that did not follow the owner's raise."""
    if SPLIT in play:
        yield make_step(NOT_RAISED_ON_SPLIT)
    elif DOUBLE in play:
        yield make_step(NOT_RAISED_ON_DOUBLE)
