"""Legal rounds from the simulator as documents of the feed, and what replay answers to lines."""

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


def seldom(examples: int) -> settings:
    """How often a property is tried: the same examples every time, however slow the machine."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@cache
def pool_of(game: str, *, seed: str = "properties", rounds: int = POOL) -> tuple[str, ...]:
    """Legal rounds of a game at three tables of different style, each as JSON.

    Each stands alone: a shoe that was not announced starts where its round says (detail 33).
    """
    order = Order([game], rounds=rounds, seed=seed, start=START, tables=3)
    dealt = (handed.payload for handed in simulated_items(order))
    return tuple(json.dumps(document_of(round_)) for round_ in dealt if isinstance(round_, Round))


@cache
def crowds_of(game: str) -> tuple[str, ...]:
    """Legal rounds of a hundred bets or more, which are read by sorts; none of Zappit."""
    order = Order([game], rounds=12, seed="crowds", start=START, bets_per_round=100)
    dealt = (handed.payload for handed in simulated_items(order))
    return tuple(json.dumps(document_of(round_)) for round_ in dealt if isinstance(round_, Round))


@cache
def shoes_of(game: str) -> tuple[str, ...]:
    """Shoes that were announced at a game, each as JSON."""
    order = Order([game], rounds=POOL, seed="shoes", start=START, tables=3)
    opened = (handed.payload for handed in simulated_items(order))
    return tuple(
        json.dumps(document_of_shoe(shoe)) for shoe in opened if isinstance(shoe, ShoeOpening)
    )


def legal_rounds(game: str) -> st.SearchStrategy[Document]:
    """Any legal round of a game, as a document of one's own."""
    return st.sampled_from(pool_of(game)).map(json.loads)


def unreported(document: Document) -> Document:
    """The round as a studio tells it that does not say what it credited."""
    bets = [{k: v for k, v in bet.items() if k != "reported"} for bet in document["bets"]]
    return document | {"bets": bets}


def line_of(document: object) -> bytes:
    """A document as a line of the feed."""
    return json.dumps(document).encode()


def answer(document: object) -> Document:
    """What replay says of a file of this one round."""
    (result,) = replay_lines([line_of(document)])
    return result


def payouts(document: object) -> dict[str, int]:
    """What each bet of a round that is settled pays, in cents."""
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
    """What was added to a bet, in cents."""
    return cents(bet.get("raised", "0"))
