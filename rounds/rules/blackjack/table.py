"""The hands of a table after the plays, the dealer's hand, and anomalies of the cards."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rounds.rules.anomalies import EXTRA_CARD, ILLEGAL_PLAY, MISSING_CARD
from rounds.rules.blackjack.dealer import Dealer, against_blackjack, read_dealer
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import PlayedBox, Streams, play_out
from rounds.rules.blackjack.layout import DEALER, BoxPlay, layout_of

Cards = Sequence[tuple[str, str]]


class Table(NamedTuple):
    """A table at the end of the round."""

    streams: Streams
    dealer: Dealer
    boxes: Mapping[BoxPlay, PlayedBox]
    called: Mapping[str, int]
    """The number of cards that the deal and the plays require of each place, the dealer's aside."""
    has_extra_card: bool
    """There are more cards than that; hands finished off line may explain them."""
    codes: frozenset[str]
    """The other anomalies."""


def read_table(
    game: BlackjackGame, cards: Cards, *, boxes: frozenset[int], plays: frozenset[BoxPlay]
) -> Table:
    """The table for these boxes and plays."""
    streams = streams_of(cards)
    layout = layout_of(tuple([place for place, _ in cards]), boxes, plays)
    played = {play: play_out(game, streams, box=play[0], text=play[1]) for play in plays}
    must_draw = False
    is_legal = True
    for box in played.values():
        must_draw = must_draw or box.awaits_dealer
        is_legal = is_legal and box.is_legal
    dealer, codes = read_dealer(game, streams.get(DEALER, ()), must_draw=must_draw)
    if layout.lacks_card:
        codes.add(MISSING_CARD)
    if not (is_legal and _may_play(game, dealer, plays)):
        codes.add(ILLEGAL_PLAY)
    if not layout.is_in_dealing_order:
        codes.add(EXTRA_CARD)
    return Table(streams, dealer, played, layout.called, layout.has_extra_card, frozenset(codes))


def streams_of(cards: Cards) -> Streams:
    """The cards of every place, in dealing order."""
    streams: dict[str, list[str]] = defaultdict(list)
    for place, card in cards:
        streams[place].append(card)
    return streams


def _may_play(game: BlackjackGame, dealer: Dealer, plays: frozenset[BoxPlay]) -> bool:
    """Whether any decision is legal: not against a blackjack that the dealer peeked at."""
    if not dealer.has_blackjack:
        return True
    return against_blackjack(game, dealer).plays_allowed or not any(text for _, text in plays)
