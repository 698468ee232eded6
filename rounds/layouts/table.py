"""The layout of a round's cards on the table: hands, totals and dealing steps."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from rounds.formatting import place_label
from rounds.rules.baccarat.coup import BANKER, PLAYER
from rounds.rules.baccarat.coup import points_of as baccarat_points_of
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.play import FIRST_HAND, SECOND_HAND, ZAPPED
from rounds.rules.blackjack.totals import TWENTY_ONE, total_of

_OPENING: Final = 2
_HANDS: Final = (PLAYER, BANKER)

Dealt = Sequence[tuple[str, str]]


class LayoutCard(NamedTuple):
    """A card on the table."""

    number: int
    """Its number in dealing order, from 1."""
    code: str
    total: str
    """The total of its hand with this card."""
    hidden_until: int = 0
    """The number of dealt cards until which it lies face down; 0 for face up."""


class LayoutHand(NamedTuple):
    """The cards of one hand, from left to right."""

    place: str
    cards: tuple[LayoutCard, ...]
    total: str
    is_bust: bool


class LayoutBox(NamedTuple):
    """One box with its hands; without hands if nothing was dealt to it."""

    number: int
    hands: tuple[LayoutHand, ...]


class Step(NamedTuple):
    """One card leaving the shoe."""

    number: int
    place: str
    label: str
    code: str
    total: str


class Phase(NamedTuple):
    """Consecutive cards of one place, for the timeline under the cards."""

    label: str
    cards: int


class TableLayout(NamedTuple):
    """All cards on the table."""

    is_baccarat: bool
    dealer: LayoutHand | None
    boxes: tuple[LayoutBox, ...]
    sides: tuple[LayoutHand, ...]
    """Baccarat's Player and Banker."""
    steps: tuple[Step, ...]
    phases: tuple[Phase, ...]

    @property
    def winner(self) -> str | None:
        """Baccarat's winning place; both places for a tie."""
        if not all(hand.cards for hand in self.sides) or not self.sides:
            return None
        player, banker = (int(hand.total) for hand in self.sides)
        return PLAYER + BANKER if player == banker else PLAYER if player > banker else BANKER


def lay_out_table(dealt: Dealt, *, boxes: int) -> TableLayout:
    """The layout of a round; of baccarat if the game has no boxes.

    Includes boxes that the game does not have: they are why such a round is held.
    """
    numbered = [(number, place, card) for number, (place, card) in enumerate(dealt, 1)]
    streams: dict[str, list[tuple[int, str]]] = {}
    for number, place, card in numbered:
        streams.setdefault(place, []).append((number, card))
    if boxes:
        dealer = _dealer(streams.get(DEALER, []), dealt)
        laid = tuple(_box(number, streams) for number in _box_numbers(streams, boxes))
        sides: tuple[LayoutHand, ...] = ()
    else:
        dealer, laid = None, ()
        sides = tuple(_side(place, streams.get(place, [])) for place in _HANDS)
    totals = {
        card.number: card.total
        for hand in (*sides, *([dealer] if dealer else ()), *(h for b in laid for h in b.hands))
        for card in hand.cards
    }
    steps = tuple(
        Step(n, place, place_label(place), card, totals.get(n, "")) for n, place, card in numbered
    )
    return TableLayout(not boxes, dealer, laid, sides, steps, tuple(_phases(dealt)))


def blackjack_total(cards: Sequence[str], *, is_opening: bool) -> str:
    """The total of a hand as a text."""
    total = total_of(cards)
    if is_opening and len(cards) == _OPENING and total.points == TWENTY_ONE:
        return _("Blackjack")
    if total.points > TWENTY_ONE:
        return _("%(total)s, bust") % {"total": total.points}
    if total.is_soft and total.points < TWENTY_ONE:
        return _("soft %(total)s") % {"total": total.points}
    return str(total.points)


def _box_numbers(streams: Iterable[str], boxes: int) -> list[int]:
    dealt_to = {
        int(place.rstrip(FIRST_HAND + SECOND_HAND + ZAPPED))
        for place in streams
        if place[0].isdigit()
    }
    return sorted(set(range(1, boxes + 1)) | dealt_to)


def _box(number: int, streams: dict[str, list[tuple[int, str]]]) -> LayoutBox:
    """A split hand starts with a card of the box. Players who did not split keep its hand."""
    cards = streams.get(str(number), [])
    halves = [streams.get(f"{number}{half}", []) for half in (FIRST_HAND, SECOND_HAND)]
    zapped = streams.get(f"{number}{ZAPPED}", [])
    hands = []
    if cards and (not any(halves) or len(cards) > _OPENING):
        hands.append(_hand(str(number), cards, is_opening=True))
    if any(halves):
        hands += [
            _hand(f"{number}{name}", [*cards[index : index + 1], *half], is_opening=False)
            for index, (name, half) in enumerate(
                zip((FIRST_HAND, SECOND_HAND), halves, strict=True)
            )
        ]
    if zapped:
        hands.append(_hand(f"{number}{ZAPPED}", zapped, is_opening=False))
    return LayoutBox(number, tuple(hands))


def _hand(place: str, cards: Sequence[tuple[int, str]], *, is_opening: bool) -> LayoutHand:
    laid = []
    for index, (number, card) in enumerate(cards):
        so_far = [code for _number, code in cards[: index + 1]]
        laid.append(LayoutCard(number, card, blackjack_total(so_far, is_opening=is_opening)))
    codes = [code for _number, code in cards]
    return LayoutHand(
        place, tuple(laid), laid[-1].total if laid else "", total_of(codes).points > TWENTY_ONE
    )


def _dealer(cards: Sequence[tuple[int, str]], dealt: Dealt) -> LayoutHand:
    """The hole card lies face down until every box has all its cards."""
    hand = _hand(DEALER, cards, is_opening=True)
    if len(hand.cards) < _OPENING:
        return hand
    last_of_boxes = max(
        (n for n, (place, _card) in enumerate(dealt, 1) if place != DEALER), default=0
    )
    hole = hand.cards[1]
    shown = max(last_of_boxes, hole.number)
    hidden = hole._replace(hidden_until=shown if shown > hole.number else 0)
    return hand._replace(cards=(hand.cards[0], hidden, *hand.cards[2:]))


def _side(place: str, cards: Sequence[tuple[int, str]]) -> LayoutHand:
    laid = tuple(
        LayoutCard(number, card, str(baccarat_points_of([c for _n, c in cards[: index + 1]])))
        for index, (number, card) in enumerate(cards)
    )
    return LayoutHand(place, laid, laid[-1].total if laid else "", is_bust=False)


def _phases(dealt: Dealt) -> Iterable[Phase]:
    """The opening deal, then consecutive cards of one box or of the dealer."""
    opening = _opening_length(dealt)
    if opening:
        yield Phase(_("Opening deal"), opening)
    label, cards = "", 0
    for place, _card in dealt[opening:]:
        named = place_label(place[:1]) if place[:1].isdigit() else place_label(place)
        if named != label and cards:
            yield Phase(label, cards)
            cards = 0
        label, cards = named, cards + 1
    if cards:
        yield Phase(label, cards)


def _opening_length(dealt: Dealt) -> int:
    """The number of cards before a place gets its third, or a split or zapped hand its first."""
    seen: dict[str, int] = {}
    for index, (place, _card) in enumerate(dealt):
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > _OPENING or place[-1] in (FIRST_HAND + SECOND_HAND + ZAPPED):
            return index
    return len(dealt)
