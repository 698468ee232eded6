"""Legal rounds from the simulator as documents of the feed, and the results of replay."""

import json
from functools import cache
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rounds.feed import document_of, document_of_shoe
from rounds.replay import replay_lines
from rounds.rules.facts import Round, ShoeOpening
from rounds.simulation.casino import Order, simulated_items
from rounds.simulation.games import GAMES

Document = dict[str, Any]

START: Final = 1_793_491_200_000  # 2026-11-01T00:00:00Z
POOL: Final = 400
NAMES: Final = tuple(GAMES)
FAMILY: Final = tuple(name for name in NAMES if name != "baccarat")


def property_settings(examples: int) -> settings:
    """Settings of a property with this many examples, the same every time, without a deadline."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def _documents(order: Order) -> tuple[str, ...]:
    dealt = [item.payload for item in simulated_items(order) if isinstance(item.payload, Round)]
    assert len(dealt) == order.rounds
    return tuple(json.dumps(document_of(round_)) for round_ in dealt)


@cache
def pool_of(game: str, *, seed: str = "properties", rounds: int = POOL) -> tuple[str, ...]:
    """Legal rounds of a game at three tables of different style, each as JSON.

    Each stands alone: a shoe that was not announced starts where its round says (detail 33).
    """
    order = Order([game], rounds=rounds, seed=seed, start=START, tables=3)
    return _documents(order)


@cache
def crowds_of(game: str) -> tuple[str, ...]:
    """Legal rounds of a hundred bets or more; none of Zappit."""
    order = Order([game], rounds=12, seed="crowds", start=START, bets_per_round=100)
    return _documents(order)


@cache
def shoes_of(game: str) -> tuple[str, ...]:
    """Announced shoes of a game, each as JSON; none of Zappit."""
    order = Order([game], rounds=POOL, seed="shoes", start=START, tables=3)
    opened = (handed.payload for handed in simulated_items(order))
    return tuple(
        json.dumps(document_of_shoe(shoe)) for shoe in opened if isinstance(shoe, ShoeOpening)
    )


def legal_rounds(game: str) -> st.SearchStrategy[Document]:
    """Any legal round of a game, as a new document."""
    return st.sampled_from(pool_of(game)).map(json.loads)


def unreported(document: Document) -> Document:
    """The round without the studio's reported payouts."""
    bets = [{k: v for k, v in bet.items() if k != "reported"} for bet in document["bets"]]
    return document | {"bets": bets}


def line_of(document: object) -> bytes:
    """A document as a line of the feed."""
    return json.dumps(document).encode()


def answer(document: object) -> Document:
    """The result of replaying a file of this one round."""
    (result,) = replay_lines([line_of(document)])
    return result


def settled_payouts(document: object) -> dict[str, int] | None:
    """The payout of each bet, in cents; None for a held round."""
    result = answer(document)
    assert result["status"] in {"settled", "held"}, result
    if result["status"] == "held":
        assert result["anomalies"]
        return None
    return {bet: cents(graded["payout"]) for bet, graded in result["bets"].items()}


def payouts(document: object) -> dict[str, int]:
    """The payout of each bet of a settled round, in cents."""
    result = answer(document)
    assert (result["status"], result["anomalies"]) == ("settled", []), result
    return {bet: cents(graded["payout"]) for bet, graded in result["bets"].items()}


def cents(money: str) -> int:
    """Money of the feed in cents."""
    euro, _, decimals = money.partition(".")
    return int(euro) * 100 + int(decimals.ljust(2, "0"))


def money(amount: int) -> str:
    """Cents as money of the feed."""
    return f"{amount // 100}.{amount % 100:02d}"


def raise_of(bet: Document) -> int:
    """The raise of a bet, in cents."""
    return cents(bet.get("raised", "0"))
