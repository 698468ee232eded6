"""The play of one box by its players, each with separate decisions, from shared cards."""

from collections.abc import Sequence
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import TWENTY_ONE, total_of
from rounds.simulation.blackjack_rounds.dealer import CardSource
from rounds.simulation.blackjack_rounds.strategy import (
    NOTHING_ELSE,
    Options,
    advice,
    decision,
    same_value,
)
from rounds.simulation.chance import happens
from rounds.simulation.round_in_play import Wager

_THINKING_MS: Final = (800, 2_500)


class BoxPlay:
    """Plays boxes one after the other, from their first two cards.

    Players with equal decisions share cards; a player who stands early has only the first ones.
    ``writes_stands`` is the share (0 to 1) of final stands that the record contains.
    """

    def __init__(
        self, *, source: CardSource, rules: BlackjackGame, upcard: str, writes_stands: float
    ) -> None:
        self._source = source
        self._rules = rules
        self._upcard = upcard
        self._writes_stands = writes_stands
        self._alive = False
        self._hitting: list[Wager] = []
        self._doubling: list[Wager] = []
        self._splitting: list[Wager] = []
        self._zapping: list[Wager] = []

    def play(self, box: int, first_two: Sequence[str], wagers: list[Wager]) -> bool:
        """Play the box: sets ``play`` and ``raised_cents`` of the main bets.

        Returns whether a hand depends on the dealer's draw.
        """
        total, soft = total_of(first_two)
        if not wagers or total == TWENTY_ONE:
            return False  # a blackjack takes no decision and needs no dealer
        self._alive = False
        self._splitting, self._zapping = [], []
        may_zap = not soft and total in self._rules.zaps
        options = Options(double=True, split=same_value(first_two), zap=may_zap)
        self._play_stream(f"{box}", [*first_two], wagers, options)
        if self._zapping:
            new_hand = [self._source.deal(f"{box}z"), self._source.deal(f"{box}z")]
            options = NOTHING_ELSE._replace(double=True)
            self._play_stream(f"{box}z", new_hand, self._zapping, options)
        if self._splitting:
            self._play_split(box, first_two)
        return self._alive

    def _play_split(self, box: int, first_two: Sequence[str]) -> None:
        options = NOTHING_ELSE._replace(double=self._rules.double_after_split)
        for card, letter in zip(first_two, "ab", strict=True):
            place = f"{box}{letter}"
            hand = [card, self._source.deal(place)]
            if card[0] == "A" and self._rules.split_aces_stand:
                self._alive = True
            else:
                self._play_stream(place, hand, self._splitting, options)
            if letter == "a":
                for wager in self._splitting:
                    wager.play += ","

    def _play_stream(
        self, place: str, cards: list[str], wagers: list[Wager], options: Options
    ) -> None:
        choosing = wagers
        while choosing:
            total = total_of(cards).points
            if total >= TWENTY_ONE or len(cards) == self._rules.most_cards:
                self._alive |= total <= TWENTY_ONE
                return
            self._hitting, self._doubling = [], []
            self._decide(cards, total, choosing, options)
            if self._hitting or self._doubling:
                cards.append(self._source.deal(place))
                self._alive |= bool(self._doubling) and total_of(cards).points <= TWENTY_ONE
            choosing, options = self._hitting, NOTHING_ELSE

    def _decide(
        self, cards: Sequence[str], total: int, wagers: list[Wager], options: Options
    ) -> None:
        self._source.wait(*_THINKING_MS)
        if self._source.is_short_of_cards:  # the dealer must be able to end the round
            self._alive = True
            return
        advised = advice(cards, self._upcard, options)
        for wager in wagers:
            if wager.customer.number in self._source.cut_off:
                self._alive = True  # nobody decides, so the hand stands
            else:
                errs = wager.customer.habit.errs
                rng = self._source.rng
                self._take(
                    wager, decision(rng, advised=advised, errs=errs, total=total, options=options)
                )

    def _take(self, wager: Wager, letter: str) -> None:
        match letter:
            case "S":
                self._alive = True
                if not happens(self._source.rng, self._writes_stands):
                    return
            case "H":
                self._hitting.append(wager)
            case "D":
                self._doubling.append(wager)
            case "P":
                self._splitting.append(wager)
            case "Z":
                self._zapping.append(wager)
        wager.play += letter
        if letter in "DP":
            wager.raised_cents += wager.stake_cents
