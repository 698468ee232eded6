"""A box played out: the hands that come of it, and whether every decision was allowed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.play import (
    DOUBLE,
    FIRST_HAND,
    OWN_HAND,
    SECOND_HAND,
    STAND,
    ZAP,
    ZAPPED,
    cards_called,
    read_play,
)
from rounds.rules.blackjack.totals import ACE, TWENTY_ONE, Values, total_of_values, values_of

Streams = Mapping[str, Sequence[str]]
"""The cards of every place, in the order in which they came."""
Drawn = tuple[str, int, int]
"""A card of a hand: the hand of the box under which it was dealt, its number there, its value."""

_PAIR: Final = 2
_LONGEST_REMEMBERED: Final = 32
"""No legal play is longer; one that is shall not fill the memory."""


class Hand(NamedTuple):
    """A hand that was played to its end."""

    cards: tuple[Drawn, ...]
    points: int
    is_blackjack: bool
    doubles: int
    """How many times it was doubled: once at most where all went by the rules."""

    @property
    def is_bust(self) -> bool:
        """Whether it is lost whatever the dealer has."""
        return self.points > TWENTY_ONE


class PlayedBox(NamedTuple):
    """What a play made of a box."""

    hands: tuple[Hand, ...]
    """In the order of the play; a hand that lacks a card is left out."""
    is_legal: bool
    awaits_dealer: bool
    """Whether the dealer's draw decides one of the hands (contract, detail 25)."""


def play_out(game: BlackjackGame, streams: Streams, *, box: int, text: str) -> PlayedBox:
    """The hands that a play makes of a box's cards (contract, "How a hand was played")."""
    values = [values_of(streams.get(place, ())[:count]) for place, count in cards_called(box, text)]
    return play_values(game, text, tuple(values))


@lru_cache(maxsize=1 << 16)
def play_values(game: BlackjackGame, text: str, dealt: tuple[Values, ...]) -> PlayedBox:
    """The hands that a play makes of values, in the order in which the play calls for places.

    Suits play no part, so the same few plays of the same few values come again and again.
    """
    names = [place[1:] for place, _ in cards_called(1, text)]
    cards = {
        name: iter([(name, number, value) for number, value in enumerate(values)])
        for name, values in zip(names, dealt, strict=True)
    }
    play = read_play(text)
    hand = _HandInPlay(game, cards, draws_from=OWN_HAND, is_split=False)
    hand.draw(_PAIR)
    hand.play(play.own)
    if play.split is None or not hand.is_complete:
        return _played(hand.ended(), is_legal=hand.is_legal)
    may_split = hand.may_split()
    halves = [
        hand.half(name, number, decisions)
        for number, (name, decisions) in enumerate(
            zip((FIRST_HAND, SECOND_HAND), play.split, strict=True)
        )
    ]
    is_legal = may_split and all(part.is_legal for part in (hand, *halves))
    return _played(halves[0].ended() + halves[1].ended(), is_legal=is_legal)


def _played(hands: tuple[Hand, ...], *, is_legal: bool) -> PlayedBox:
    awaits = any(not (hand.is_blackjack or hand.is_bust) for hand in hands)
    return PlayedBox(hands, is_legal, awaits)


class _HandInPlay:
    """A hand while its decisions are taken, illegal ones too (contract, detail 22)."""

    def __init__(
        self,
        game: BlackjackGame,
        dealt: Mapping[str, Iterator[Drawn]],
        *,
        draws_from: str,
        is_split: bool,
    ) -> None:
        self.game = game
        self.dealt = dealt
        self.draws_from = draws_from
        self.is_split = is_split
        self.cards: list[Drawn] = []
        self.values: list[int] = []
        self.decisions = 0
        self.doubles = 0
        self.stands = False
        self.is_zapped = False
        self.is_complete = True
        self.is_legal = True

    def half(self, name: str, number: int, decisions: str) -> "_HandInPlay":
        """One of the two hands that a split makes of this one, played."""
        half = _HandInPlay(self.game, self.dealt, draws_from=name, is_split=True)
        half.take(self.cards[number])
        half.stands = half.values[0] == ACE  # split Aces get one card each
        half.draw(1)
        half.play(decisions)
        return half

    def play(self, decisions: str) -> None:
        """Takes decisions until a card is missing, after which the rest is not judged."""
        for decision in decisions:
            if not self.is_complete:
                return
            self.is_legal = self.is_legal and self._allows(decision)
            self.decisions += 1
            if decision == ZAP:
                self.cards, self.values, self.draws_from, self.is_zapped = [], [], ZAPPED, True
                self.draw(_PAIR)
            elif decision != STAND:
                self.draw(1)
            self.doubles += decision == DOUBLE
            self.stands = self.stands or decision in (STAND, DOUBLE)

    def draw(self, count: int) -> None:
        """Takes the next cards of the place from which the hand draws."""
        for _ in range(count):
            card = next(self.dealt[self.draws_from], None)
            if card is None:
                self.is_complete = False
                return
            self.take(card)

    def take(self, card: Drawn) -> None:
        """Adds a card to the hand."""
        self.cards.append(card)
        self.values.append(card[2])

    def may_decide(self) -> bool:
        """Whether the hand takes any decision at all."""
        return (
            not self.stands
            and len(self.cards) != self.game.most_cards
            and total_of_values(self.values).points < TWENTY_ONE
        )

    def may_split(self) -> bool:
        """Whether its two cards may become two hands: of one value, before anything else."""
        first, second = self.values[:_PAIR]
        return not self.decisions and self.may_decide() and first == second

    def ended(self) -> tuple[Hand, ...]:
        """The hand as it stands, nothing where it lacks a card."""
        if not self.is_complete:
            return ()
        points = total_of_values(self.values).points
        as_dealt = len(self.cards) == _PAIR and not (self.is_split or self.is_zapped)
        return (Hand(tuple(self.cards), points, as_dealt and points == TWENTY_ONE, self.doubles),)

    def _allows(self, decision: str) -> bool:
        if not self.may_decide():
            return False
        if decision == DOUBLE:
            two_cards = len(self.cards) == _PAIR
            return two_cards and (self.game.double_after_split or not self.is_split)
        return decision != ZAP or self._may_zap()

    def _may_zap(self) -> bool:
        total = total_of_values(self.values)
        is_first = not (self.decisions or self.is_split)
        return is_first and not total.is_soft and total.points in self.game.zaps
