"""The hands of a box after its plays, and whether every decision was legal."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeVar

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.play import (
    DOUBLE,
    FIRST_HAND,
    HIT,
    OPENING_HAND,
    SECOND_HAND,
    SPLIT,
    STAND,
    ZAP,
    ZAPPED,
    cards_called,
    read_play,
)
from rounds.rules.blackjack.totals import ACE, TWENTY_ONE, Values, total_of_values, values_of
from rounds.rules.cards import Total

Streams = Mapping[str, Sequence[str]]
"""The cards of every place, in dealing order."""
Drawn = tuple[str, int, int]
"""A card of a hand: the suffix of its place, its number there, its value."""

_Hands = TypeVar("_Hands", bound="_HandInPlay")

_PAIR: Final = 2


class Hand(NamedTuple):
    """A hand after all its decisions."""

    cards: tuple[Drawn, ...]
    points: int
    is_blackjack: bool
    doubles: int
    """The number of doubles, at most one in a legal play."""

    @property
    def is_bust(self) -> bool:
        """Whether the hand is above 21."""
        return self.points > TWENTY_ONE


class PlayedBox(NamedTuple):
    """The result of a play."""

    hands: tuple[Hand, ...]
    """In the order of the play, without hands that lack a card."""
    is_legal: bool
    awaits_dealer: bool
    """Whether a hand depends on the dealer's draw (contract, detail 25)."""


class IllegalDecision(NamedTuple):
    """A decision that the rules do not allow, and the hand before it."""

    decision: str
    allowed: str
    """The allowed decisions; empty for a hand that takes none."""
    cards: tuple[Drawn, ...]
    total: Total
    draws_from: str
    """The suffix of the place of its next card."""


def play_out(game: BlackjackGame, streams: Streams, *, box: int, text: str) -> PlayedBox:
    """The result of a play of a box (contract, "How a hand was played")."""
    values = [values_of(streams.get(place, ())[:count]) for place, count in cards_called(box, text)]
    return play_values(game, text, tuple(values))


@lru_cache(maxsize=1 << 16)
def play_values(game: BlackjackGame, text: str, dealt: tuple[Values, ...]) -> PlayedBox:
    """The result of a play of card values, by place in the order of ``cards_called``.

    Cached: without suits, few different inputs exist.
    """
    hand, halves = _play(_HandInPlay, game, text, dealt)
    if not halves:
        return _played(hand.ended(), is_legal=hand.is_legal)
    is_legal = hand.may_split() and all(part.is_legal for part in (hand, *halves))
    return _played(halves[0].ended() + halves[1].ended(), is_legal=is_legal)


def illegal_decisions(
    game: BlackjackGame, streams: Streams, *, box: int, text: str
) -> list[IllegalDecision]:
    """The first illegal decision on each hand of a play, with the allowed ones."""
    places = cards_called(box, text)
    dealt = tuple(values_of(streams.get(place, ())[:count]) for place, count in places)
    hand, halves = _play(_RecordedHand, game, text, dealt)
    if halves and not hand.may_split():
        hand.record(SPLIT)
    return [refused for part in (hand, *halves) for refused in part.refused]


def _play(
    kind: type[_Hands], game: BlackjackGame, text: str, dealt: tuple[Values, ...]
) -> tuple[_Hands, list[_Hands]]:
    """The opening hand after its plays, and the two hands of a split, if any."""
    names = [place[1:] for place, _ in cards_called(1, text)]
    cards = {
        name: iter([(name, number, value) for number, value in enumerate(values)])
        for name, values in zip(names, dealt, strict=True)
    }
    play = read_play(text)
    hand = kind(game, cards, draws_from=OPENING_HAND, is_split=False)
    hand.draw(_PAIR)
    hand.play(play.opening)
    if play.split is None or not hand.is_complete:
        return hand, []
    named = enumerate(zip((FIRST_HAND, SECOND_HAND), play.split, strict=True))
    return hand, [hand.half(name, number, decisions) for number, (name, decisions) in named]


def _played(hands: tuple[Hand, ...], *, is_legal: bool) -> PlayedBox:
    awaits = any(not (hand.is_blackjack or hand.is_bust) for hand in hands)
    return PlayedBox(hands, is_legal, awaits)


class _HandInPlay:
    """A hand during its plays; illegal decisions are carried out too (contract, detail 22)."""

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

    def half(self, name: str, number: int, decisions: str) -> Self:
        """One of the two hands of a split, after its plays."""
        half = type(self)(self.game, self.dealt, draws_from=name, is_split=True)
        half.take(self.cards[number])
        half.stands = self.game.split_aces_stand and half.values[0] == ACE
        half.draw(1)
        half.play(decisions)
        return half

    def play(self, decisions: str) -> None:
        """Carries out decisions up to the first that lacks a card."""
        for decision in decisions:
            if not self.is_complete:
                return
            self.is_legal = self.is_legal and self.allows(decision)
            self.decisions += 1
            if decision == ZAP:
                self.cards, self.values, self.draws_from, self.is_zapped = [], [], ZAPPED, True
                self.draw(_PAIR)
            elif decision != STAND:
                self.draw(1)
            self.doubles += decision == DOUBLE
            self.stands = self.stands or decision in (STAND, DOUBLE)

    def draw(self, count: int) -> None:
        """Draws the next cards of the hand's place."""
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
        """Whether the hand may take any decision."""
        return (
            not self.stands
            and len(self.cards) != self.game.most_cards
            and total_of_values(self.values).points < TWENTY_ONE
        )

    def may_split(self) -> bool:
        """Whether the hand may be split: two cards of one value, before any other decision."""
        first, second = self.values[:_PAIR]
        hands = _PAIR if self.is_split else 1
        may_add = hands < self.game.hands_per_box
        return may_add and not self.decisions and self.may_decide() and first == second

    def ended(self) -> tuple[Hand, ...]:
        """The finished hand; empty if it lacks a card."""
        if not self.is_complete:
            return ()
        points = total_of_values(self.values).points
        as_dealt = len(self.cards) == _PAIR and not (self.is_split or self.is_zapped)
        return (Hand(tuple(self.cards), points, as_dealt and points == TWENTY_ONE, self.doubles),)

    def allows(self, decision: str) -> bool:
        """Whether the hand may take the decision now; of a split, see ``may_split``."""
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


class _RecordedHand(_HandInPlay):
    """A hand that records its first illegal decision; ``allows`` is not called after it."""

    def __init__(
        self,
        game: BlackjackGame,
        dealt: Mapping[str, Iterator[Drawn]],
        *,
        draws_from: str,
        is_split: bool,
    ) -> None:
        super().__init__(game, dealt, draws_from=draws_from, is_split=is_split)
        self.refused: list[IllegalDecision] = []

    def record(self, decision: str) -> None:
        """Records an illegal decision."""
        choices, allows = (HIT, STAND, DOUBLE, ZAP), super().allows
        allowed = [choice for choice in choices if allows(choice)]
        if self.may_split():
            allowed.append(SPLIT)
        total = total_of_values(self.values)
        self.refused.append(
            IllegalDecision(decision, "".join(allowed), tuple(self.cards), total, self.draws_from)
        )

    def allows(self, decision: str) -> bool:
        """Whether the hand may take the decision now; of a split, see ``may_split``."""
        is_allowed = super().allows(decision)
        if not is_allowed:
            self.record(decision)
        return is_allowed
