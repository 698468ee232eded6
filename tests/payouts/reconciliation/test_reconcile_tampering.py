"""Reconciliation reports every change that a superuser makes behind the triggers."""

import re
from typing import Final

import pytest

from payouts.ledger.models import PayOver
from payouts.reconciliation.checks.messages import found_of, needed_of, place_of
from payouts.reconciliation.models import ReconcileDifference
from rounds.models import RoundName
from tests.payouts.reconciliation.five_games import differences, tamper
from tests.payouts.reconciliation.money_tamperings import ACCOUNTS, TRANSFERS
from tests.payouts.reconciliation.round_tamperings import RECORDS, ROUNDS, SETTLEMENTS

pytestmark = pytest.mark.usefixtures("small_casino")

_STRIPE: Final = re.compile(r"account -[0-9]+ · ")
_RECORD: Final = re.compile(r"(batch|record) [0-9a-f-]{30}([0-9a-f]{6})")


def as_text(reported: list[ReconcileDifference]) -> list[str]:
    """Kinds and places.

    The stripe of a shared account varies by process and is left out; a record is named by the end
    of its id, which is its position.
    """
    places = (f"{difference.kind}: {place_of(difference)}" for difference in reported)
    return sorted(_RECORD.sub(r"\1 \2", _STRIPE.sub("", place)) for place in places)


class TestAnUntouchedCasino:
    def test_has_no_difference(self) -> None:
        """A settled, a held, a voided and a waiting round, a pay-over, a receivable."""
        assert as_text(differences()) == []


TAMPERINGS: Final = {**ACCOUNTS, **TRANSFERS, **SETTLEMENTS, **ROUNDS, **RECORDS}


class TestATamperedCasino:
    @pytest.mark.parametrize("name", TAMPERINGS)
    def test_is_reported(self, name: str) -> None:
        """Everything that follows from the change, and nothing else."""
        statements, expected = TAMPERINGS[name]
        names = {str(id_): name for id_, name in _names().items()}

        tamper(*statements)
        reported = as_text(differences())

        assert [_named(place, names) for place in reported] == sorted(expected)


class TestADifference:
    def test_says_what_a_bet_paid_and_should_have(self) -> None:
        """After the swap Banker wins: 19.50 for p-2."""
        statements, _ = ROUNDS["the hands of Player and Banker"]

        tamper(*statements)

        [difference] = [row for row in differences() if row.kind == "bet" and row.about["bet"] == 1]
        assert difference.found is not None
        assert difference.expected is not None
        assert difference.found["payout_cents"] == 0
        assert difference.expected["payout_cents"] == 1950
        assert found_of(difference) == "outcome Lost, paid 0.00, rules lost"
        assert needed_of(difference) == "outcome Won, paid 19.50, rules banker"
        assert difference.round is not None
        assert difference.round.reference == "r-1"

    def test_says_what_a_balance_is_and_should_be(self) -> None:
        """With the account, for a link."""
        statements, _ = ACCOUNTS["a customer's balance"]

        tamper(*statements)

        [difference] = [row for row in differences() if row.kind == "balance"]
        assert (difference.found, difference.expected) == ({"cents": 1}, {"cents": 0})
        assert difference.account_id == 8

    def test_names_the_reason_of_a_held_round(self) -> None:
        """In the words of its page."""
        statements, _ = ROUNDS["cards after which the rules hold the round"]

        tamper(*statements)

        [difference] = [row for row in differences() if row.kind == "verdict"]
        assert found_of(difference) == "status Validated, anomalies none"
        assert needed_of(difference).startswith("status Held, anomalies ")


def _names() -> dict[object, str]:
    """The names for ids of rounds and pay-overs."""
    rounds = RoundName.objects.values_list("round_id", "reference")
    return {**dict(rounds), **dict(PayOver.objects.values_list("id", "reference"))}


def _named(message_of: str, names: dict[str, str]) -> str:
    kind, _, place = message_of.partition(": ")
    return f"{kind}: {names.get(place, place)}"
