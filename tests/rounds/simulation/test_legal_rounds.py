"""Whatever the simulator deals without faults, the rules settle."""

import pytest

from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED, VOID
from rounds.simulation.casino import Order, hand_over_in_order
from rounds.simulation.games import GAMES

START = 1_793_491_200_000  # 2026-11-01T00:00:00Z


def judged(order: Order) -> list[tuple[Round, str, tuple[str, ...], set[str]]]:
    """Each round of the order with status, anomalies and outcomes, its shoe followed."""
    shoes: dict[str, Shoe] = {}
    found = []
    for handed_over in hand_over_in_order(order):
        said = handed_over.said
        if isinstance(said, ShoeOpening):
            shoes[said.shoe] = Shoe.opened(said)
        elif isinstance(said, Round):
            shoe = shoes.get(said.shoe or "", Shoe())
            verdict = rule_set(said.rules).judge(said, shoe if said.shoe else None)
            if said.shoe:
                shoes[said.shoe] = shoe.after(said)
            outcomes = {grade.outcome for grade in verdict.grades}
            found.append((said, verdict.status, verdict.anomalies, outcomes))
    return found


class TestALegalRound:
    """Issue: replay of any legal simulated round is settled."""

    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("seed", ["1", "2"])
    def test_is_settled(self, game: str, seed: str) -> None:
        """Three tables, so that several styles of dealing are seen."""
        order = Order(games=[game], rounds=2_500, seed=seed, start=START, tables=3)

        amiss = [
            (dealt.round, status, anomalies)
            for dealt, status, anomalies, _ in judged(order)
            if status != SETTLED
        ]

        assert amiss == []

    @pytest.mark.parametrize("game", [name for name in GAMES if name != "zappit"])
    def test_is_settled_when_thousands_play(self, game: str) -> None:
        """Many decisions on one box are many readings of one stream of cards."""
        order = Order(games=[game], rounds=15, seed="s", start=START, bets_per_round=2_000)

        assert {status for _, status, _, _ in judged(order)} == {SETTLED}

    @pytest.mark.parametrize("game", GAMES)
    def test_has_every_outcome(self, game: str) -> None:
        """A simulator whose customers never won, pushed or were late would prove little."""
        order = Order(games=[game], rounds=2_000, seed="s", start=START)

        outcomes = {outcome for _, _, _, found in judged(order) for outcome in found}

        assert outcomes == {"win", "push", "lose", VOID}
