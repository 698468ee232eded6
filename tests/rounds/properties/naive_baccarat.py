"""A second, naive baccarat that deals [BAC] Regola della terza carta again card by card."""

from collections import Counter
from fractions import Fraction
from math import floor
from typing import Final

from tests.rounds.properties.naive_blackjack import Anomalous
from tests.rounds.properties.naive_voids import is_void
from tests.rounds.properties.simulated import Document, cents, raise_of

_BANKER_DRAWS_ON: Final = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
"""The sheet's table, by Banker's total: Player's third cards on which he draws."""


def worth(cards: list[str]) -> int:
    """The last digit of the sum; tens and figures are nothing."""
    return sum("A23456789".find(card[0]) + 1 for card in cards) % 10


def pay_all(document: Document) -> dict[str, int]:
    """The payout of every bet, in cents. Raises Anomalous for an illegal coup."""
    player, banker = _deal_again(document)
    copies = Counter(card for _, card in document["cards"])
    if max(copies.values()) > 8:
        raise Anomalous
    return {
        bet["id"]: _pay(bet, player, banker)
        if not is_void(document, bet)
        else cents(bet["stake"]) + raise_of(bet)
        for bet in document["bets"]
    }


def _deal_again(document: Document) -> tuple[list[str], list[str]]:
    dealt = [tuple(pair) for pair in document["cards"]]
    hands: dict[str, list[str]] = {"P": [], "B": []}
    if sorted(place for place, _ in dealt[:4]) != ["B", "B", "P", "P"]:
        raise Anomalous
    for place, card in dealt[:4]:
        hands[place].append(card)
    rest = dealt[4:]
    player, banker = worth(hands["P"]), worth(hands["B"])
    third = ""
    if max(player, banker) < 8 and player <= 5:
        third = _next(rest, "P", hands)
    if max(player, banker) < 8 and _banker_draws(banker, third):
        _next(rest, "B", hands)
    if rest:
        raise Anomalous
    return hands["P"], hands["B"]


def _next(rest: list[tuple[str, ...]], place: str, hands: dict[str, list[str]]) -> str:
    if not rest or rest[0][0] != place:
        raise Anomalous
    card = rest.pop(0)[1]
    hands[place].append(card)
    return card


def _banker_draws(total: int, third: str) -> bool:
    if not third:
        return total <= 5
    return total <= 2 or str(worth([third])) in _BANKER_DRAWS_ON.get(total, "")


def _pay(bet: Document, player: list[str], banker: list[str]) -> int:
    stake = cents(bet["stake"])
    points, other = worth(player), worth(banker)
    pairs = [hand[0][0] == hand[1][0] for hand in (player, banker)]
    perfect = [hand[0] == hand[1] for hand in (player, banker)]
    many = len(player) + len(banker) > 4
    won = {
        "player": (points > other, "1"),
        "banker": (other > points, "0.95"),
        "tie": (points == other, "8"),
        "player_pair": (pairs[0], "11"),
        "banker_pair": (pairs[1], "11"),
        "either_pair": (any(pairs), "5"),
        "perfect_pair": (any(perfect), "25"),
        "big": (many, "0.54"),
        "small": (not many, "1.5"),
    }
    wins, odds = won[bet["kind"]]
    if wins:
        return stake + floor(stake * Fraction(odds) + Fraction(1, 2))
    return stake if bet["kind"] in {"player", "banker"} and points == other else 0
