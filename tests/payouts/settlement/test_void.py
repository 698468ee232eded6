"""Voiding a settled round by decision: a further settlement, never an edit."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Sum

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Transfer
from payouts.settlement.four_eyes import FourEyesRequired, ReasonRequired
from payouts.settlement.models import BetSettlement, DailyBets, DailyRounds, Settlement
from payouts.settlement.resettle import SettlementUnchanged, StaleSettlement
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import (
    GIULIA,
    LORENZO,
    REASON,
    balance,
    sequences,
    transfers,
    void,
)

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("settled")
class TestAVoidOfASettledRound:
    def test_is_a_further_settlement_in_which_every_bet_is_void(self) -> None:
        """10.00, 10.00 and 2.00 are returned; the first settlement stays."""
        resettled = void(after=1)

        assert resettled == (2, 2500, 2200, 0)
        assert sequences() == [(1, "settled"), (2, "void")]
        bets = BetSettlement.objects.filter(sequence=2).order_by("bet_number")
        assert list(bets.values_list("outcome", "payout_cents", "reasons")) == [
            ("void", 1000, ["void-by-decision"]),
            ("void", 1000, ["void-by-decision"]),
            ("void", 200, ["void-by-decision"]),
        ]

    def test_returns_every_stake(self) -> None:
        """12.00 to p-1 and 10.00 to p-2, none to the house."""
        void(after=1)

        assert balance("customer", "p-1") == 1200
        assert balance("customer", "p-2") == 1000
        assert (balance("house"), balance("stakes_held"), balance("wallet")) == (0, 0, -2200)

    def test_takes_back_each_transfer_by_one_that_names_it(self) -> None:
        """Reversals of stakes and payouts, then the returned stakes."""
        first_transfers = list(Transfer.objects.filter(entry=1).order_by("line"))

        void(after=1)

        assert transfers(2) == [
            ("reversal", 2200),
            ("reversal", 2000),
            ("reversal", 500),
            ("stake_returned", 1000),
            ("stake_returned", 1000),
            ("stake_returned", 200),
        ]
        back = Transfer.objects.filter(purpose="reversal").order_by("line")
        assert [
            (
                transfer.reverses_entry,
                transfer.reverses_line,
                transfer.debit_id,
                transfer.credit_id,
                transfer.bet_number,
            )
            for transfer in back
        ] == [
            (1, transfer.line, transfer.credit_id, transfer.debit_id, transfer.bet_number)
            for transfer in first_transfers
        ]

    def test_counts_in_the_day_as_a_void_round(self) -> None:
        """One void round of three bets with 22.00 paid."""
        void(after=1)

        rounds = DailyRounds.objects.aggregate(all=Sum("rounds"), void=Sum("void_rounds"))
        bets = DailyBets.objects.aggregate(
            all=Sum("bets"),
            void=Sum("void_bets"),
            staked=Sum("staked_cents"),
            paid=Sum("payout_cents"),
        )
        assert rounds == {"all": 1, "void": 1}
        assert bets == {"all": 3, "void": 3, "staked": 2200, "paid": 2200}

    def test_is_recorded_with_both_settlements(self) -> None:
        """With both persons and the reason."""
        void(after=1)

        record = AuditRecord.objects.get(action="ROUND_VOIDED")
        before, after = Settlement.objects.order_by("sequence")
        assert (record.subject, record.actor, record.actor_user_id) == (
            "round:r-1",
            GIULIA.name,
            GIULIA.user_id,
        )
        assert record.details["before"] == {
            "settlement": 1,
            "kind": "settled",
            "paid": "25.00",
            "results_digest": bytes(before.results_digest).hex(),
        }
        recorded = {
            key: record.details[key] for key in ("settlement", "kind", "staked", "paid", "owed")
        }
        assert recorded == {
            "settlement": 2,
            "kind": "void",
            "staked": "22.00",
            "paid": "22.00",
            "owed": "0.00",
        }
        assert record.details["results_digest"] == bytes(after.results_digest).hex()
        decided = [record.details[key] for key in ("reason", "approved_by", "approved_by_user_id")]
        assert decided == [REASON, LORENZO.name, LORENZO.user_id]

    def test_carries_both_persons_and_the_reason(self) -> None:
        """In the settlement itself."""
        void(after=1, reason=f"  {REASON}\n")

        latest = Settlement.objects.get(sequence=2)
        decided = latest.actor, latest.approved_by, latest.reason, latest.settled_at
        assert decided == (GIULIA.name, LORENZO.name, REASON, NOW)

    def test_leaves_the_books_right(self) -> None:
        """By the tables and by replay."""
        void(after=1)

        assert_books_are_right(lines(baccarat_round("r-1")))

    def test_is_not_done_twice(self) -> None:
        """A second void is refused."""
        void(after=1)
        before = Transfer.objects.count(), AuditRecord.objects.count()

        with pytest.raises(SettlementUnchanged, match=r"found settlement 2 \(void\)"):
            void(after=2)

        assert (Transfer.objects.count(), AuditRecord.objects.count()) == before

    def test_by_the_second_of_two_persons_is_refused(self) -> None:
        """The error has the current settlement."""
        void(after=1)

        with pytest.raises(StaleSettlement) as refused:
            void(after=1, actor=LORENZO, approved_by=GIULIA)

        assert str(refused.value).startswith("found settlement 2 (void) by Giulia Marchetti at ")
        assert str(refused.value).endswith("; the decision is about settlement 1")
        assert sequences() == [(1, "settled"), (2, "void")]

    @pytest.mark.parametrize("after", [0, 2])
    def test_of_an_unknown_settlement_is_refused(self, after: int) -> None:
        """The given sequence has to be the latest."""
        with pytest.raises(StaleSettlement, match=r"found settlement 1 \(settled\)"):
            void(after=after)

    @pytest.mark.parametrize(
        "persons",
        [
            {"approved_by": None},
            {"approved_by": GIULIA},
            {"approved_by": Actor("  giulia   MARCHETTI ")},
            {"approved_by": Actor("G. Marchetti", GIULIA.user_id)},
            {"approved_by": Actor(" ")},
            {"actor": Actor("")},
        ],
    )
    def test_by_one_person_alone_is_refused(self, persons: dict[str, Any]) -> None:
        """An approver is required."""
        with pytest.raises(FourEyesRequired):
            void(after=1, **persons)

        assert sequences() == [(1, "settled")]

    def test_without_a_reason_is_refused(self) -> None:
        """White space is none."""
        with pytest.raises(ReasonRequired):
            void(after=1, reason=" \n")

    def test_cannot_name_a_transfer_that_was_taken_back(self) -> None:
        """A unique key of reversed transfers."""
        void(after=1)
        again = Transfer.objects.filter(purpose="reversal").order_by("line")[0]
        again.entry, again.line = 3, 0

        with pytest.raises(IntegrityError, match="reverses_line"), transaction.atomic():
            again.save(force_insert=True)
