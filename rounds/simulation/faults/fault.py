"""Faults, the context of their injection, and helpers for choosing bets."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.facts import Bet, Round
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.simulation.customers import Customer
from rounds.simulation.shoe import ShuffledShoe


class Fault(NamedTuple):
    """The fault in a document and the expected status.

    ``name`` is the code of the anomaly if ``status`` is "held".
    """

    name: str
    status: str


class Scene(NamedTuple):
    """The table before the round, and a customer without a bet in it.

    ``participation`` is the participation right of that ``outsider``.
    """

    rng: Random
    shoe: ShuffledShoe
    known: Shoe | None
    rule_set: RuleSet
    blaze: FireBlaze | None
    outsider: Customer
    participation: str


Spoil = Callable[[Round, Scene], Round | None]
"""Returns the round with the fault, or None if the round is unsuitable."""


def counting_bets(dealt: Round) -> Iterator[tuple[int, Bet]]:
    """Bets that certainly count, with their index: in time, connected, independent of others."""
    absent = {disconnect.player for disconnect in dealt.disconnects}
    for index, bet in enumerate(dealt.bets):
        in_time = dealt.opened_at <= bet.placed_at <= dealt.closed_at
        if in_time and bet.player not in absent and (bet.box is None or _is_own_main(bet)):
            yield index, bet


def owners(dealt: Round) -> Iterator[tuple[int, Bet]]:
    """The main bets on own hands that certainly count, with their index."""
    return ((index, bet) for index, bet in counting_bets(dealt) if _is_own_main(bet))


def _is_own_main(bet: Bet) -> bool:
    return bet.kind == "main" and not bet.behind


def with_bet(dealt: Round, index: int, bet: Bet) -> Round:
    """The round with another bet at an index."""
    return dealt._replace(bets=(*dealt.bets[:index], bet, *dealt.bets[index + 1 :]))


def with_further_bet(dealt: Round, bet: Bet) -> Round:
    """The round with one more bet."""
    return dealt._replace(bets=(*dealt.bets, bet._replace(id=f"b{len(dealt.bets) + 1}")))


def finished_off_line(dealt: Round) -> bool:
    """Whether a hand was finished off line."""
    return any(disconnect.cards for disconnect in dealt.disconnects)
