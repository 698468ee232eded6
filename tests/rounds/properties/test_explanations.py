"""Explanations of legal rounds add up to the payout, by the rules that it was paid by."""

import json
from functools import cache
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
    """A legal round and its verdict, judged without other rounds."""
    dealt = parse_document(json.loads(line))
    assert isinstance(dealt, Round)
    return Judged(dealt, rule_set(dealt.rules).judge(dealt, None))


@cache
def judged_golden() -> tuple[Judged, ...]:
    """The accepted rounds of the public cases, with their verdicts."""
    feeds = [feed for feed in sorted(GOLDEN.glob("*.ndjson")) if ".expected" not in feed.name]
    lines = [line for feed in feeds for line in judge_lines(feed.read_bytes().splitlines())]
    judged = tuple(line for line in lines if isinstance(line, Judged))
    assert len(judged) > 300
    return judged


def wrongly_explained(judged: Judged) -> list[str]:
    """The bets whose steps do not add up to their payout, their chips or their rules."""
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
    """The sum of an explanation must equal the payout."""

    @pytest.mark.parametrize("game", NAMES)
    def test_add_up_to_its_payout_in_simulated_rounds(self, game: str) -> None:
        """Money, chips and rules in their order, for every bet."""
        wrong = [bet for line in pool_of(game) for bet in wrongly_explained(judged_alone(line))]

        assert wrong == []

    @pytest.mark.parametrize("game", ["quantum", "blackjack", "baccarat"])
    def test_add_up_to_its_payout_in_rounds_of_a_hundred_bets(self, game: str) -> None:
        """Including bets behind and on shared boxes."""
        wrong = [bet for line in crowds_of(game) for bet in wrongly_explained(judged_alone(line))]

        assert wrong == []

    def test_add_up_to_its_payout_in_the_public_cases(self) -> None:
        """Settled and void rounds, and rounds held only for a differing payout."""
        assert [bet for line in judged_golden() for bet in wrongly_explained(line)] == []

    def test_have_a_value_for_every_placeholder(self) -> None:
        """A sentence without its value is an error on the page."""
        for judged in judged_golden():
            for explanation in explanations_of(judged):
                for step in explanation.steps:
                    assert step.text % dict.fromkeys(step.values, "x")

    def test_are_the_same_without_unrelated_bets(self) -> None:
        """A page explains two hundred bets of a hundred thousand, with their companions."""
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
