"""blackjack21, the fastest installable peer, replaying the same cards and decisions.

It has no money, insurance, side bets, bonus or multiplier cards, peeks under every upcard, and
checks no card. Rounds that it cannot replay with the same number of cards are left out on both
sides.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from blackjack21 import Card, Table
from blackjack21.exceptions import BlackjackException
from blackjack21.players import GameState

from rounds.rules.cards import CARDS

_VALUES: Final = {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}
_PEER_CARDS: Final = {
    card: Card(card[1], "10" if card[0] == "T" else card[0], _VALUES.get(card[0]) or int(card[0]))
    for card in CARDS
}
_CALLS: Final = {"H": "hit", "D": "double_down", "S": "stand"}
_SPARE: Final = 9


class Script(NamedTuple):
    """A round as the peer can replay it."""

    players: Sequence[tuple[str, int]]
    cards: Sequence[Card]
    """The last first: the peer takes them from the end."""
    hands: Sequence[tuple[int, int, str]]
    """Player, hand and its decisions, a split among them."""


class Shoe:
    """A source of cards that are known."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = list(cards)

    def draw_card(self) -> Card:
        """The next card."""
        return self._cards.pop()

    def __len__(self) -> int:
        return len(self._cards)


def script_of(document: dict[str, Any]) -> Script:
    """The script of a round's document: its cards in the peer's order, its decisions."""
    streams = defaultdict(list)
    for place, card in document["cards"]:
        streams[place].append(_PEER_CARDS[card])
    plays = {
        str(bet["box"]): bet.get("play", "")
        for bet in document["bets"]
        if bet["kind"] == "main" and not bet.get("behind")
    }
    boxes = sorted(place for place in streams if place.isdigit())
    dealer = streams["D"]
    cards = [streams[box][0] for box in boxes] + dealer[:1]
    cards += [streams[box][1] for box in boxes] + dealer[1:2]
    hands = []
    for player, box in enumerate(boxes):
        own, split, rest = plays.get(box, "").partition("P")
        cards += streams[box][2:]
        hands.append((player, 0, own + split))
        if split:
            first, second = streams[f"{box}a"], streams[f"{box}b"]
            cards += [first[0], second[0], *first[1:], *second[1:]]
            hands += [(player, hand, play) for hand, play in enumerate(rest.split(","))]
    cards += dealer[2:]
    return Script([(box, 1) for box in boxes], cards[::-1], hands)


def replay(script: Script, *, hits_soft_17: bool, spare: Sequence[Card] = ()) -> Table:
    """The peer's table at the end of the round."""
    table = Table(script.players, Shoe([*spare, *script.cards]), hit_soft_17=hits_soft_17)
    table.start_game()
    for player, hand, play in script.hands:
        if table.state != GameState.PLAYERS_TURN:
            break
        for decision in play:
            if decision == "P":
                table.split()
            else:
                getattr(table, _CALLS[decision])()
        own = table.players[player].hands[hand]
        if play[-1:] != "P" and table.current_hand is own:
            table.stand()
    return table


def can_replay(document: dict[str, Any], *, hits_soft_17: bool) -> bool:
    """Whether the peer ends the round with just the cards that were dealt."""
    spare = [_PEER_CARDS["5S"]] * _SPARE
    try:
        table = replay(script_of(document), hits_soft_17=hits_soft_17, spare=spare)
    except (BlackjackException, KeyError, IndexError):  # a zap, or cards that were dealt off line
        return False
    return table.state == GameState.ROUND_OVER and len(table.deck) == _SPARE
