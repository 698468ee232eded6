"""Tables for tests of the monitor: simulated, or dealt from prepared shoes."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from compliance.monitoring.statistics.card_draws import Dealt
from rounds.models import Table
from rounds.rules.baccarat.coup import (
    BANKER,
    BANKER_DRAWS,
    BANKER_DRAWS_UP_TO,
    NATURAL,
    PLAYER,
    PLAYER_DRAWS_UP_TO,
    POINTS,
)
from rounds.rules.cards import CARDS, INDEX
from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES, table_codes
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines, shoe

DECKS: Final = 8
FIRST: Final = datetime(2026, 11, 2, 9, tzinfo=UTC)
_LEAST: Final = 100


def deal(left: list[str]) -> list[tuple[str, str]]:
    """The next coup of a shoe."""
    cards = [(PLAYER, left.pop()), (BANKER, left.pop()), (PLAYER, left.pop()), (BANKER, left.pop())]
    player = (POINTS[cards[0][1]] + POINTS[cards[2][1]]) % 10
    banker = (POINTS[cards[1][1]] + POINTS[cards[3][1]]) % 10
    if max(player, banker) >= NATURAL:
        return cards
    if player > PLAYER_DRAWS_UP_TO:
        draws = banker <= BANKER_DRAWS_UP_TO
    else:
        cards.append((PLAYER, left.pop()))
        draws = BANKER_DRAWS[banker, POINTS[cards[-1][1]]]
    return [*cards, (BANKER, left.pop())] if draws else cards


def full_shoe(dice: random.Random) -> list[str]:
    """Eight decks, shuffled."""
    cards = [*CARDS] * DECKS
    dice.shuffle(cards)
    return cards


def shoe_without(*ranks: str) -> Callable[[random.Random], list[str]]:
    """A maker of shoes without these ranks."""

    def made(dice: random.Random) -> list[str]:
        return [card for card in full_shoe(dice) if card[0] not in ranks]

    return made


def play_baccarat(
    rounds: int,
    *,
    table: str = "bac-1",
    of: Callable[[random.Random], list[str]] = full_shoe,
    first: datetime = FIRST,
    seed: int = 20261122,
) -> Table:
    """Settles rounds with a bet on Player, a minute apart."""
    dice = random.Random(f"{table} {seed}")
    opened = open_table(table)
    documents: list[object] = []
    left: list[str] = []
    code, drawn = "", 0
    for number in range(rounds):
        at = first + timedelta(minutes=number)
        if len(left) < _LEAST:
            left, drawn, code = of(dice), 0, f"{table}-{seed}-shoe-{number}"
            opening = {"burnt": [], "burnt_face_down": 0, "opened_at": _text(at)}
            documents.append(shoe(code, table=table, **opening))
        cards = deal(left)
        documents.append(_round(f"{table}-{seed}-{number}", table, at, code, drawn, cards))
        drawn += len(cards)
    ingest(lines(*documents))
    settle()
    return opened


def simulated(*games: str, rounds: int, faults: float = 0.0, seed: str = "1") -> None:
    """A simulated casino, ingested and settled."""
    for game in games:
        rules = GAMES[game].game.rule_set.name
        for code in table_codes(game, count=1):
            open_table(code, rules)
    start = int(FIRST.timestamp() * 1000)
    order = Order(games, rounds, seed, start, faults=faults)
    ingest(line.text.encode() for line in simulate(order))
    settle()


def _round(
    reference: str,
    table: str,
    at: datetime,
    code: str,
    drawn: int,
    cards: list[tuple[str, str]],
) -> dict[str, object]:
    placed = {"placed_at": _text(at + timedelta(seconds=5))}
    return baccarat_round(
        reference,
        table=table,
        shoe={"id": code, "drawn": drawn},
        opened_at=_text(at),
        closed_at=_text(at + timedelta(seconds=15)),
        ended_at=_text(at + timedelta(seconds=40)),
        cards=[list(card) for card in cards],
        bets=[baccarat_bet("b1", "player", "10.00", **placed)],
    )


def _text(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


FRESH = bytes(52)


def draws_of(shoe: list[str], *, number: int, seen: bytes = FRESH) -> Dealt:
    """The first cards of a shoe as one round."""
    return Dealt([INDEX[card] for card in shoe[:number]], seen)
