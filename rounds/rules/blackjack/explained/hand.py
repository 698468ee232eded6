"""The steps of hands: opening cards, then each decision with its card."""

from collections.abc import Iterator, Sequence
from typing import Final

from rounds.rules.blackjack.hands import Hand
from rounds.rules.blackjack.play import DOUBLE, OPENING_HAND, STAND, ZAP, read_play
from rounds.rules.blackjack.table import Table
from rounds.rules.blackjack.totals import TWENTY_ONE, total_of
from rounds.rules.cards import Total
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import HALVES, THE_HAND, Cards, HandName, Step, make_step

OPENED: Final = gettext_noop("The first two cards of box %(box)s were %(cards)s: %(total)s.")
OPENED_BLACKJACK: Final = gettext_noop(
    "The first two cards of box %(box)s were %(cards)s: a blackjack."
)
HIT: Final = gettext_noop("Another card was drawn, %(card)s, and the hand reached %(total)s.")
DOUBLED: Final = gettext_noop(
    "The hand was doubled and drew one more card, %(card)s, which brought it to %(total)s."
)
SPLIT: Final = gettext_noop("The two cards were split into two hands, each with its own stake.")
HALF: Final = gettext_noop("%(hand)s started with %(first)s and received %(card)s: %(total)s.")
ZAPPED: Final = gettext_noop("The two cards were exchanged for two new ones, %(cards)s: %(total)s.")
STOOD: Final = gettext_noop("%(hand)s stood on %(total)s.")

_PAIR: Final = 2


def cards_of_hand(table: Table, box: int, hand: Hand) -> tuple[str, ...]:
    """The cards of a hand, from all its places."""
    return tuple(table.streams[f"{box}{name}"][number] for name, number, _ in hand.cards)


def explain_hands(
    table: Table, box: int, play: str, hands: Sequence[Hand], *, may_stand: bool
) -> Iterator[Step]:
    """The steps of the hands of a box; ``may_stand`` unless the round ended before the plays.

    ``hands`` may hold only the first hand of a split.
    """
    decisions = read_play(play)
    opening = table.streams[f"{box}{OPENING_HAND}"][:_PAIR]
    if decisions.split is None:
        (hand,) = hands
        if hand.is_blackjack:
            yield make_step(OPENED_BLACKJACK, box=box, cards=Cards(tuple(opening)))
            return
        yield _opened(box, opening)
        cards = cards_of_hand(table, box, hand)
        yield from _decisions(decisions.opening, cards)
        if may_stand:
            yield from _stood(THE_HAND, total_of(cards))
        return
    yield _opened(box, opening)
    yield make_step(SPLIT)
    for name, hand, played in zip(HALVES, hands, decisions.split, strict=False):
        cards = cards_of_hand(table, box, hand)
        first, second = cards[:_PAIR]
        yield make_step(
            HALF,
            hand=name,
            first=Cards((first,)),
            card=Cards((second,)),
            total=total_of(cards[:_PAIR]),
        )
        yield from _decisions(played, cards)
        yield from _stood(name, total_of(cards))


def _opened(box: int, opening: Sequence[str]) -> Step:
    return make_step(OPENED, box=box, cards=Cards(tuple(opening)), total=total_of(opening))


def _decisions(decisions: str, cards: Sequence[str]) -> Iterator[Step]:
    """Each decision with its card."""
    held = _PAIR
    for decision in decisions:
        if decision == ZAP:
            pair = tuple(cards[:_PAIR])
            yield make_step(ZAPPED, cards=Cards(pair), total=total_of(pair))
        elif decision != STAND:
            held += 1
            text = DOUBLED if decision == DOUBLE else HIT
            yield make_step(text, card=Cards((cards[held - 1],)), total=total_of(cards[:held]))


def _stood(name: HandName, total: Total) -> Iterator[Step]:
    if total.points <= TWENTY_ONE:
        yield make_step(STOOD, hand=name, total=total)
