"""A round voided by two persons: by no rule of a sheet, but explained for each bet."""

import pytest

from rounds.rules.catalogue import RULE_SETS, rule_set
from rounds.rules.explained.reported import REPORTED
from rounds.rules.explained.void import DECIDED
from rounds.rules.verdict import void_verdict
from rounds.rules.void import BY_DECISION
from tests.rounds.rules.golden_verdicts import golden_verdicts


@pytest.mark.parametrize("name", RULE_SETS)
class TestARoundVoidByDecision:
    def test_refunds_every_stake_for_that_reason(self, name: str) -> None:
        """Stake and raise of each bet, a golden stake as a chip, for any cards."""
        rounds = [dealt for dealt, _verdict in golden_verdicts(name)]

        assert rounds
        for dealt in rounds:
            grades = void_verdict(dealt, BY_DECISION).grades
            assert grades == tuple(
                (
                    "void",
                    bet.stake_cents + bet.raised_cents,
                    bet.stake_cents if bet.golden else 0,
                    ("void-by-decision",),
                )
                for bet in dealt.bets
            )

    def test_is_explained_by_the_decision_and_the_stake(self, name: str) -> None:
        """Also for held rounds; the reported payout is not mentioned."""
        rules, bets = rule_set(name), 0
        for dealt, _verdict in golden_verdicts(name):
            grades = void_verdict(dealt, BY_DECISION).grades

            explained = rules.explain(dealt, list(zip(dealt.bets, grades, strict=True)))

            assert all(explanation.adds_up for explanation in explained)
            texts = [[step.text for step in explanation.steps] for explanation in explained]
            assert all(DECIDED in text and REPORTED not in text for text in texts)
            bets += len(explained)
        assert bets > 100

    def test_is_no_rule_of_the_rule_set(self, name: str) -> None:
        """So released rule sets keep their seals; the reason still has a title."""
        rules = rule_set(name)

        assert BY_DECISION not in rules.citations
        assert rules.reasons[BY_DECISION].title == "Voided by decision"
        assert rules.reasons.items() > rules.citations.items()
