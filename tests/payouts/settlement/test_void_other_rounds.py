"""Voiding held rounds, chips, rounds without bets; rounds that cannot be voided."""

from uuid import UUID

import pytest
from django.db.models import Sum

from compliance.trail.models import AuditRecord
from payouts.ledger.models import Transfer
from payouts.settlement.models import DailyRounds
from payouts.settlement.resettle import RoundNotValidated, SettlementUnchanged
from payouts.settlement.void_round import void_round
from rounds.models import Round
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import (
    GIULIA,
    LORENZO,
    REASON,
    balance,
    sequences,
    transfers,
    void,
)
from tests.rounds.contract.by_hand import NO_MATTER, QB, bet, deal

pytestmark = pytest.mark.django_db


class TestAVoidOfAHeldRound:
    def test_gives_the_stakes_back_that_were_held(self) -> None:
        """Its first settlement is a decision of two persons."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()

        resettled = void(after=0)

        assert resettled == (1, None, 2200, 0)
        assert transfers(1) == [
            ("stake_returned", 1000),
            ("stake_returned", 1000),
            ("stake_returned", 200),
        ]
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (1200, 1000)
        assert (balance("house"), balance("stakes_held")) == (0, 0)
        assert AuditRecord.objects.get(action="ROUND_VOIDED").details["before"] is None
        assert_books_are_right(lines(held_baccarat_round("r-1")))

    def test_counts_in_the_day_for_the_first_time(self) -> None:
        """Held rounds are in no totals."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()

        void(after=0)

        assert DailyRounds.objects.aggregate(all=Sum("rounds"), void=Sum("void_rounds")) == {
            "all": 1,
            "void": 1,
        }


class TestARoundThatIsNotVoided:
    def test_because_it_waits_for_a_worker(self) -> None:
        """It is not settled yet."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        with pytest.raises(RoundNotValidated):
            void(after=0)

        assert Transfer.objects.count() == 0

    def test_because_the_studio_s_malfunction_voided_it(self) -> None:
        """The stakes are already returned."""
        open_table()
        ingest(lines(baccarat_round("r-1", incident="malfunction")))
        settle()

        with pytest.raises(SettlementUnchanged):
            void(after=1)

    def test_because_there_is_none(self) -> None:
        """An unknown id."""
        with pytest.raises(Round.DoesNotExist):
            void_round(
                round_id=UUID(int=1),
                after=0,
                reason=REASON,
                at=NOW,
                actor=GIULIA,
                approved_by=LORENZO,
            )


class TestGoldenChips:
    def test_go_back_as_chips(self) -> None:
        """A golden 5.00 and a raise of 5.00 in cash: chips stay chips, cash stays cash."""
        open_table("qb-1", "quantum-blackjack/1")
        golden = bet("b1", stake="5.00", raised="5.00", play="D", funding="golden")
        cards = "1:5H D:6S 1:6D D:TC 1:9S D:TD"
        document = deal(cards, golden, rules=QB, table="qb-1", multipliers=NO_MATTER)
        ingest(lines(document))
        settle()
        assert sequences() == [(1, "settled")]

        void(after=1)

        assert balance("customer", "p-1", asset="chips") == 500
        assert balance("customer", "p-1", asset="cash") == 500
        assert (balance("house", asset="chips"), balance("house", asset="cash")) == (0, 0)
        assert_books_are_right(lines(document))


class TestARoundWithoutBets:
    def test_becomes_void_without_a_transfer(self) -> None:
        """The decision is recorded."""
        open_table()
        ingest(lines(baccarat_round("r-1", bets=[])))
        settle()

        resettled = void(after=1)

        assert (resettled.payout_cents, Transfer.objects.count()) == (0, 0)
        assert sequences() == [(1, "settled"), (2, "void")]


class TestABetThatWasVoidBefore:
    def test_keeps_what_it_had(self) -> None:
        """A late bet of 7.00 is reversed and returned again."""
        open_table()
        late = baccarat_bet("b2", "tie", "7.00", placed_at="2026-11-21T21:10:26Z", player="p-2")
        ingest(lines(baccarat_round("r-1", bets=[baccarat_bet("b1", "banker", "10.00"), late])))
        settle()

        void(after=1)

        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (1000, 700)
