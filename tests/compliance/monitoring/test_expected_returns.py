"""The expected returns of watches: certified main bets, and insurance."""

import json
from collections.abc import Mapping

import pytest

from compliance.exports.models import RuleCertificate
from compliance.monitoring.expected_returns import ExpectedReturn, expected_return
from tests.casino_in_play import NOW

pytestmark = pytest.mark.django_db

MAIN = {"bet": "main", "leaves_out": None}


def certify(*returns: Mapping[str, object], rules: str = "blackjack/1") -> None:
    """Stores a certificate with these returns, with a dummy signature."""
    content = json.dumps({"returns": [dict(row) for row in returns]})
    RuleCertificate.objects.create(
        rules=rules,
        content=content,
        rules_digest=b"1",
        digest=b"2",
        signature=b"3",
        issued_at=NOW,
    )


class TestAMainBet:
    def test_is_unknown_without_a_certificate(self) -> None:
        """None is computed instead."""
        assert expected_return("blackjack/1", "main") == ExpectedReturn(None, None)

    def test_is_the_certified_return_per_unit_staked(self) -> None:
        """By best play; the variance depends on the players."""
        certify(
            MAIN | {"basis": "initial", "strategy": "cd", "rtp": "99.300000"},
            MAIN | {"basis": "staked", "strategy": "td", "rtp": "99.360000"},
            MAIN | {"basis": "staked", "strategy": "cd", "rtp": "99.380000"},
        )

        assert expected_return("blackjack/1", "main") == ExpectedReturn(0.9938, None)

    def test_is_that_of_the_latest_certificate(self) -> None:
        """It replaces an earlier one."""
        line = MAIN | {"basis": "staked", "strategy": "cd"}
        certify(line | {"rtp": "99.000000"})
        certify(line | {"rtp": "99.500000"})

        assert expected_return("blackjack/1", "main").certified == 0.995

    def test_is_unknown_for_a_partial_certificate(self) -> None:
        """Quantum's multiplier cards pay, too."""
        line = {"bet": "main", "leaves_out": "multipliers", "basis": "staked", "strategy": "cd"}
        certify(line | {"rtp": "98.000000"}, rules="quantum-blackjack/1")

        assert expected_return("quantum-blackjack/1", "main") == ExpectedReturn(None, None)


def test_insurance_is_a_reference_without_a_variance() -> None:
    """Eight decks, an Ace is up: 128 tens of 415 cards pay 3 for 1; who bought it may know more."""
    certified, variance = expected_return("blackjack/1", "insurance")

    assert certified == pytest.approx(3 * 128 / 415)
    assert variance is None
