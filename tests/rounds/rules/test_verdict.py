"""Verdicts with the anomalies of the arrival, and explanations against their grades."""

import pytest

from rounds.rules.explained.explanation import Explanation, make_step
from rounds.rules.verdict import Grade, held_on_arrival
from tests.rounds.rules.dealing import bet, dealt, judged

WON = judged(dealt("1:9S D:TD 1:TC D:8C", bet()))
HELD = judged(dealt("1:9S D:TD 1:TC D:8C 1:2C", bet()))


class TestTheArrival:
    """Contract, details 46 and 47."""

    def test_holds_a_round_that_would_be_settled(self) -> None:
        """No bet has a grade then."""
        verdict = held_on_arrival(WON, ["late-arrival"])

        assert (verdict.status, verdict.anomalies, verdict.grades) == (
            "held",
            ("late-arrival",),
            (),
        )

    def test_adds_to_the_anomalies_of_the_rules(self) -> None:
        """Sorted."""
        verdict = held_on_arrival(HELD, ["unsigned-source", "late-arrival"])

        assert verdict.anomalies == ("extra-card", "late-arrival", "unsigned-source")

    def test_without_anomalies_leaves_the_verdict(self) -> None:
        """With its grades."""
        assert held_on_arrival(WON, []) == WON


class TestAnExplanation:
    """Of a bet whose grade is a payout of 10.00, 3.00 of it in chips."""

    GRADE = Grade("win", 1000, 300, ("win",))

    @pytest.mark.parametrize(
        ("cash", "chips", "rule", "adds_up"),
        [
            (700, 300, "win", True),
            (699, 300, "win", False),
            (701, 300, "win", False),
            (701, 299, "win", False),
            (699, 301, "win", False),
            (700, 300, "push", False),
            (700, 300, "zap", False),
        ],
    )
    def test_adds_up_only_to_its_grade(
        self, cash: int, chips: int, rule: str, adds_up: bool
    ) -> None:
        """Money, chips and rules, also where a step has cash and chips."""
        step = make_step("", rule=rule, cash=cash, chips=chips)

        assert Explanation(bet(), self.GRADE, (step,)).adds_up is adds_up
