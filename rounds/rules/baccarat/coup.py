"""Coups: the cards of Player and Banker, and their validation.

[BAC] Regola della terza carta.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rounds.rules.anomalies import EXTRA_CARD, MISSING_CARD
from rounds.rules.cards import CARDS, RANKS

PLAYER: Final = "P"
BANKER: Final = "B"

POINTS: Final = {
    card: (RANKS.index(card[0]) + 1) % 10 if card[0] not in "JQK" else 0 for card in CARDS
}
"""[BAC] Regole del baccarat: an Ace is one, a ten or a figure nothing."""


def tableau(text: str) -> dict[tuple[int, int], bool]:
    """Whether Banker draws, by (Banker's total, points of Player's third card).

    The text is the printed table: a line of third cards, then for each total a line of D and S.
    """
    header, *rows = text.strip().splitlines()
    draws = {}
    for row in rows:
        total, *marks = row.split()
        for third, mark in zip(header.split(), marks, strict=True):
            draws[int(total), int(third)] = mark == "D"
    return draws


# [BAC] Regola della terza carta, Banco. D draws, S stays.
# Rows: Banker's total on two cards. Columns: Player's third card.
BANKER_DRAWS: Final = tableau("""
       0 1 2 3 4 5 6 7 8 9
    0  D D D D D D D D D D
    1  D D D D D D D D D D
    2  D D D D D D D D D D
    3  D D D D D D D D S D
    4  S S D D D D D D S S
    5  S S S S D D D D S S
    6  S S S S S S D D S S
    7  S S S S S S S S S S
""")

OPENING: Final = 2
"""Each hand opens with two cards."""
MOST: Final = 3
"""No hand has more than three."""
NATURAL: Final = 8
"""[BAC] Nota importante: with this or more on two cards of either hand, both stay."""
PLAYER_DRAWS_UP_TO: Final = 5
"""[BAC] Giocatore."""
BANKER_DRAWS_UP_TO: Final = 5
"""[BAC] Banco: where Player stays."""


_THIRD_CARDS = frozenset({"", PLAYER, BANKER, PLAYER + BANKER})


class Coup(NamedTuple):
    """The cards of both hands, two or three each, and their points."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    player_points: int
    banker_points: int


def points_of(cards: Sequence[str]) -> int:
    """The points of a hand: the last digit of its sum."""
    return sum([POINTS[card] for card in cards]) % 10


def read_coup(dealt: Sequence[tuple[str, str]]) -> tuple[Coup | None, set[str]]:
    """The coup, None if an opening card is missing, and the codes of its anomalies."""
    player = tuple([card for place, card in dealt if place == PLAYER])
    banker = tuple([card for place, card in dealt if place == BANKER])
    owned = len(player[:MOST]) + len(banker[:MOST])
    codes = {EXTRA_CARD} if owned < len(dealt) else set()
    if len(player) < OPENING or len(banker) < OPENING:
        return None, codes | {MISSING_CARD}
    player_needs = player_cards(player, banker)
    codes |= _compare(len(player), player_needs)
    if min(len(player), MOST) == player_needs:  # otherwise skip Banker (contract, detail 31)
        codes |= _compare(len(banker), banker_cards(player, banker))
    if not _in_dealing_order("".join([place for place, _ in dealt])):
        codes.add(EXTRA_CARD)
    player, banker = player[:MOST], banker[:MOST]
    return Coup(player, banker, points_of(player), points_of(banker)), codes


def player_cards(player: tuple[str, ...], banker: tuple[str, ...]) -> int:
    """The number of cards that the rules require of Player."""
    opening = points_of(player[:OPENING])
    if opening >= NATURAL or points_of(banker[:OPENING]) >= NATURAL:
        return OPENING
    return MOST if opening <= PLAYER_DRAWS_UP_TO else OPENING


def banker_cards(player: tuple[str, ...], banker: tuple[str, ...]) -> int:
    """The number of cards that the rules require of Banker, given a correct Player hand."""
    opening = points_of(banker[:OPENING])
    if opening >= NATURAL or points_of(player[:OPENING]) >= NATURAL:
        return OPENING
    if len(player) == OPENING:
        return MOST if opening <= BANKER_DRAWS_UP_TO else OPENING
    return MOST if BANKER_DRAWS[opening, POINTS[player[2]]] else OPENING


def _compare(cards: int, called_for: int) -> set[str]:
    if cards == called_for:
        return set()
    return {MISSING_CARD if cards < called_for else EXTRA_CARD}


def _in_dealing_order(places: str) -> bool:
    """Whether two cards of each hand come first and Player's third before Banker's."""
    opening, third_cards = places[: 2 * OPENING], places[2 * OPENING :]
    return opening.count(PLAYER) == OPENING and third_cards in _THIRD_CARDS
