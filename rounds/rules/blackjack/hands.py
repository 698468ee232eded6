"""A box played out: the hands that come of it, and whether every decision was allowed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.play import (
    DOUBLE,
    FIRST_HAND,
    SECOND_HAND,
    STAND,
    ZAP,
    ZAPPED,
    read_play,
)
from rounds.rules.blackjack.totals import ACE, TWENTY_ONE, VALUES, total_of

Streams = Mapping[str, Sequence[str]]
"""The cards of every place, in the order in which they came."""

_PAIR: Final = 2


class Hand(NamedTuple):
    """A hand that was played to its end."""

    cards: tuple[str, ...]
    total: int
    is_blackjack: bool
    doubles: int
    """How many times it was doubled: once at most where all went by the rules."""

    @property
    def is_bust(self) -> bool:
        """Whether it is lost whatever the dealer has."""
        return self.total > TWENTY_ONE


class PlayedBox(NamedTuple):
    """What a play made of a box."""

    hands: tuple[Hand, ...]
    """In the order of the play; a hand that lacks a card is left out."""
    is_legal: bool


class _HandInPlay:
    """A hand while its decisions are taken, illegal ones too (contract, detail 22)."""

    def __init__(
        self,
        game: BlackjackGame,
        cards: list[str],
        *,
        draws: Iterator[str],
        zap_cards: Iterator[str],
        is_split: bool,
    ) -> None:
        self.game = game
        self.cards = cards
        self.draws = draws
        self.zap_cards = zap_cards
        self.is_split = is_split
        self.stands = is_split and VALUES[cards[0]] == ACE  # split Aces get one card each
        self.is_zapped = False
        self.is_complete = True
        self.is_legal = True
        self.decisions = 0
        self.doubles = 0

    def play(self, decisions: str) -> None:
        """Takes decisions until a card is missing, after which the rest is not judged."""
        for decision in decisions:
            self.is_legal = self.is_legal and self._allows(decision)
            self.decisions += 1
            if decision == STAND:
                self.stands = True
            elif decision == ZAP:
                self._zap()
            else:
                self.draw()
                self.doubles += decision == DOUBLE
                self.stands = self.stands or decision == DOUBLE
            if not self.is_complete:
                return

    def draw(self) -> None:
        """Takes the next card of the hand's place."""
        card = next(self.draws, None)
        if card is None:
            self.is_complete = False
        else:
            self.cards.append(card)

    def may_decide(self) -> bool:
        """Whether the hand takes any decision at all."""
        return (
            not self.stands
            and len(self.cards) != self.game.most_cards
            and total_of(self.cards).points < TWENTY_ONE
        )

    def may_split(self) -> bool:
        """Whether its two cards may become two hands: of one value, before anything else."""
        first, second = self.cards[:_PAIR]
        return not self.decisions and self.may_decide() and VALUES[first] == VALUES[second]

    def ended(self) -> tuple[Hand, ...]:
        """The hand as it stands, nothing where it lacks a card."""
        if not self.is_complete:
            return ()
        total = total_of(self.cards).points
        as_dealt = len(self.cards) == _PAIR and not (self.is_split or self.is_zapped)
        return (Hand(tuple(self.cards), total, as_dealt and total == TWENTY_ONE, self.doubles),)

    def _allows(self, decision: str) -> bool:
        if not self.may_decide():
            return False
        if decision == DOUBLE:
            two_cards = len(self.cards) == _PAIR
            return two_cards and (self.game.double_after_split or not self.is_split)
        return decision != ZAP or self._may_zap()

    def _may_zap(self) -> bool:
        total = total_of(self.cards)
        is_first = not (self.decisions or self.is_split)
        return is_first and not total.soft and total.points in self.game.zaps

    def _zap(self) -> None:
        self.cards = []
        self.draws = self.zap_cards
        self.is_zapped = True
        for _ in range(_PAIR):
            self.draw()


def play_out(game: BlackjackGame, streams: Streams, *, box: int, text: str) -> PlayedBox:
    """The hands that a play makes of a box's cards (contract, "How a hand was played")."""
    play = read_play(text)
    draws = iter(streams.get(str(box), ()))
    zap_cards = iter(streams.get(f"{box}{ZAPPED}", ()))
    opening = list(islice(draws, _PAIR))
    if len(opening) < _PAIR:
        return PlayedBox((), is_legal=True)
    hand = _HandInPlay(game, opening, draws=draws, zap_cards=zap_cards, is_split=False)
    hand.play(play.own)
    if play.split is None or not hand.is_complete:
        return PlayedBox(hand.ended(), hand.is_legal)
    halves = []
    for name, card, decisions in zip(
        (FIRST_HAND, SECOND_HAND), hand.cards, play.split, strict=False
    ):
        draws = iter(streams.get(f"{box}{name}", ()))
        half = _HandInPlay(game, [card], draws=draws, zap_cards=zap_cards, is_split=True)
        half.draw()
        half.play(decisions if half.is_complete else "")
        halves.append(half)
    return PlayedBox(
        halves[0].ended() + halves[1].ended(),
        hand.may_split() and all(part.is_legal for part in (hand, *halves)),
    )
