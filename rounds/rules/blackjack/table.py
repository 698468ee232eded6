"""The cards of a round read by its plays: hands, dealer, and every card that should not be so."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.anomalies import EXTRA_CARD, ILLEGAL_PLAY, MISSING_CARD
from rounds.rules.blackjack.dealer import Dealer, against_blackjack, read_dealer
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import PlayedBox, Streams, play_out
from rounds.rules.blackjack.play import cards_called

DEALER: Final = "D"
_OPENING: Final = 2

Cards = Sequence[tuple[str, str]]
BoxPlay = tuple[int, str]
"""A box and how it was played."""


class Table(NamedTuple):
    """What lay on the table in the end."""

    streams: Streams
    dealer: Dealer
    boxes: Mapping[BoxPlay, PlayedBox]
    called: Mapping[str, int]
    """How many cards of each place the rules and the plays call for, the dealer's aside."""
    codes: frozenset[str]


def read_table(
    game: BlackjackGame, cards: Cards, *, boxes: Collection[int], plays: Collection[BoxPlay]
) -> Table:
    """The table when these boxes were dealt and these plays were made.

    Cards that nothing explains are left to the caller, who knows what else may explain them.
    """
    streams = streams_of(cards)
    called = _called(boxes, plays)
    played = {play: play_out(game, streams, box=play[0], text=play[1]) for play in plays}
    must_draw = any(box.awaits_dealer for box in played.values())
    dealer, codes = read_dealer(game, streams.get(DEALER, ()), must_draw=must_draw)
    if _lacks_card(streams, called):
        codes.add(MISSING_CARD)
    if not _plays_are_legal(game, dealer, played):
        codes.add(ILLEGAL_PLAY)
    if not _in_dealing_order(cards, boxes, called):
        codes.add(EXTRA_CARD)
    return Table(streams, dealer, played, called, frozenset(codes))


def streams_of(cards: Cards) -> Streams:
    """The cards of every place, in their order."""
    streams: dict[str, list[str]] = defaultdict(list)
    for place, card in cards:
        streams[place].append(card)
    return streams


def _called(boxes: Collection[int], plays: Collection[BoxPlay]) -> dict[str, int]:
    called = {str(box): _OPENING for box in boxes}
    for box, text in plays:
        for place, count in cards_called(box, text):
            if count > called.get(place, 0):
                called[place] = count
    return called


def _lacks_card(streams: Streams, called: Mapping[str, int]) -> bool:
    return any(len(streams.get(place, ())) < count for place, count in called.items())


def _plays_are_legal(
    game: BlackjackGame, dealer: Dealer, played: Mapping[BoxPlay, PlayedBox]
) -> bool:
    if not all(box.is_legal for box in played.values()):
        return False
    if not dealer.has_blackjack:
        return True
    return against_blackjack(game, dealer).plays_allowed or not any(text for _, text in played)


def _in_dealing_order(cards: Cards, boxes: Collection[int], called: Mapping[str, int]) -> bool:
    """Whether two cards of each box and of the dealer precede all others (contract, detail 24).

    Only the places that are called for are looked at, so other players' cards do not disturb.
    """
    opened = dict.fromkeys(map(str, boxes), 0)
    opened[DEALER] = 0
    is_open = False
    for place, _ in cards:
        if opened.get(place, _OPENING) < _OPENING:
            if is_open:
                return False
            opened[place] += 1
        elif place in called or place == DEALER:
            is_open = True
    return True
