"""Explanations of legal rounds: they lead to what was paid, by the rules that it was paid by."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from rounds.feed import parse_document
from rounds.replay import Judged, explanations_of, judge_lines
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from tests.rounds.properties.simulated import NAMES, crowds_of, pool_of

GOLDEN: Final = Path(__file__).parents[2] / "golden"


def judged_alone(line: str) -> Judged:
    """A legal round, which stands alone, and its verdict."""
    dealt = parse_document(json.loads(line))
    assert isinstance(dealt, Round)
    return Judged(dealt, rule_set(dealt.rules).judge(dealt, None))


def judged_golden() -> Iterator[Judged]:
    """Every round of the public cases that could be taken."""
    for feed in sorted(GOLDEN.glob("*.ndjson")):
        if ".expected" not in feed.name:
            for judged in judge_lines(feed.read_bytes().splitlines()):
                if isinstance(judged, Judged):
                    yield judged


def unsettled(judged: Judged) -> list[str]:
    """The bets whose steps do not come to their payout, their chips or their rules."""
    dealt, verdict = judged
    explained = explanations_of(judged)
    assert [explanation.bet for explanation in explained] == list(dealt.bets[: len(verdict.grades)])
    wrong = []
    for explanation, grade in zip(explained, verdict.grades, strict=True):
        adds = sum(step.cash_cents for step in explanation.steps)
        chips = sum(step.chips_cents for step in explanation.steps)
        rules = tuple(step.rule for step in explanation.steps if step.rule)
        if (adds + chips, chips, rules) != grade[1:] or not explanation.adds_up:
            wrong.append(f"{dealt.round} {explanation.bet.id}")
    return wrong


class TestTheStepsOfABet:
    """An explanation that comes to another amount than was paid would be worse than none."""

    @pytest.mark.parametrize("game", NAMES)
    def test_come_to_its_payout_in_simulated_rounds(self, game: str) -> None:
        """Money, chips and rules in their order, of every bet."""
        wrong = [bet for line in pool_of(game) for bet in unsettled(judged_alone(line))]

        assert wrong == []

    @pytest.mark.parametrize("game", ["quantum", "blackjack", "baccarat"])
    def test_come_to_its_payout_in_crowds(self, game: str) -> None:
        """A hundred bets a round, behind and on shared boxes."""
        wrong = [bet for line in crowds_of(game) for bet in unsettled(judged_alone(line))]

        assert wrong == []

    def test_come_to_its_payout_in_the_public_cases(self) -> None:
        """Settled, void, and held for another payout alone."""
        judged = list(judged_golden())

        assert len(judged) > 300
        assert [bet for line in judged for bet in unsettled(line)] == []

    def test_fill_every_place_of_their_sentences(self) -> None:
        """A sentence without its value is an error on the page."""
        for judged in judged_golden():
            for explanation in explanations_of(judged):
                for step in explanation.steps:
                    assert step.text % dict.fromkeys(step.values, "x")

    def test_of_some_bets_alone_are_the_same(self) -> None:
        """A page asks for two hundred bets of a hundred thousand, with their companions."""
        for judged in judged_golden():
            dealt, verdict = judged
            everyone = explanations_of(judged)
            graded = list(zip(dealt.bets, verdict.grades, strict=False))
            for explanation, grade in zip(everyone, graded, strict=True):
                bet = grade[0]
                companions = tuple(
                    other
                    for other in dealt.bets
                    if other is bet
                    or (other.kind == "main" and other.player == bet.player)
                    or (other.kind == "main" and not other.behind and other.box == bet.box)
                )
                few = dealt._replace(bets=companions)

                (alone,) = rule_set(dealt.rules).explain(few, [grade])

                assert alone == explanation
