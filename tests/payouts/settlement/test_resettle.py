"""Settling a voided round again by its rules."""

import pytest
from django.db.models import Sum

from compliance.trail.models import AuditRecord
from payouts.ledger.balance_shards import STRIPES, process_stripe
from payouts.ledger.models import Account, Transfer
from payouts.ledger.post_transfers import post_transfers
from payouts.settlement import resettle as resettle_module
from payouts.settlement.four_eyes import FourEyesRequired
from payouts.settlement.models import BetSettlement, DailyBets, DailyRounds, Settlement
from payouts.settlement.postings import Postings
from payouts.settlement.resettle import RoundNotValidated, SettlementUnchanged, StaleSettlement
from payouts.settlement.resettle_round import RoundHeldByRules
from payouts.settlement.stakes import staked_by
from rounds.models import QueuedRound, Validation
from rounds.rule_inputs import rounds_to_judge
from rounds.services.validate import RulesChangedError
from tests.books import BALANCES_UNLIKE_TRANSFERS, assert_books_are_right, rows_of
from tests.casino_in_play import NOW, STUDIO, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import (
    GIULIA,
    LORENZO,
    REASON,
    balance,
    resettle,
    sequences,
    stored,
    transfers,
    void,
)
from tests.payouts.settlement.stored_rounds import OTHER_DIGEST, new_round, store

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("settled")
class TestAResettlementOfAVoidRound:
    def test_pays_what_the_cards_say(self) -> None:
        """Player 10.00 pays 20.00, Banker nothing, Small 2.00 x 2.5 = 5.00."""
        void(after=1)

        resettled = resettle(after=2)

        assert resettled == (3, 2200, 2500, 0)
        assert sequences() == [(1, "settled"), (2, "void"), (3, "settled")]
        paid = BetSettlement.objects.filter(sequence=3).order_by("bet_number")
        assert list(paid.values_list("outcome", "payout_cents")) == [
            ("win", 2000),
            ("lose", 0),
            ("win", 500),
        ]

    def test_leaves_every_account_as_after_the_first_settlement(self) -> None:
        """The house is 3.00 down, p-1 has 25.00, nobody has a debt."""
        void(after=1)

        resettle(after=2)

        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2500, 0)
        assert (balance("house"), balance("stakes_held"), balance("wallet")) == (-300, 0, -2200)
        assert balance("receivable") == 0

    def test_opens_the_accounts_of_its_transfers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """By another process than the first; the transfers of the house sum to zero."""
        bets = [
            baccarat_bet("b1", "player", "10.00"),
            baccarat_bet("b2", "banker", "10.00", player="p-2"),
        ]
        ingest(lines(baccarat_round("r-even", bets=bets)))
        settle()
        void("r-even", after=1)
        stripe = (process_stripe() + 1) % STRIPES
        monkeypatch.setattr(resettle_module, "process_stripe", lambda: stripe)

        resettle("r-even", after=2)

        house = Account.objects.get(kind=Account.Kind.HOUSE, stripe=stripe)
        assert house.balance_cents == 0
        assert rows_of(BALANCES_UNLIKE_TRANSFERS) == []

    def test_takes_back_the_void_and_not_what_the_void_took_back(self) -> None:
        """The void is reversed; payouts are new transfers."""
        void(after=1)

        resettle(after=2)

        assert transfers(3) == [
            ("reversal", 1000),
            ("reversal", 1000),
            ("reversal", 200),
            ("stakes_settled", 2200),
            ("payout", 2000),
            ("payout", 500),
        ]
        taken_back = Transfer.objects.filter(entry=3, purpose="reversal")
        assert set(taken_back.values_list("reverses_entry", flat=True)) == {2}

    def test_has_the_results_of_the_first_settlement(self) -> None:
        """The same digest over every bet's result."""
        void(after=1)

        resettle(after=2)

        first, _void, last = Settlement.objects.order_by("sequence")
        assert bytes(first.results_digest) == bytes(last.results_digest)

    def test_counts_in_the_day_like_the_first_settlement(self) -> None:
        """One round, none void; 25.00 paid for 22.00."""
        void(after=1)

        resettle(after=2)

        rounds = DailyRounds.objects.aggregate(all=Sum("rounds"), void=Sum("void_rounds"))
        bets = DailyBets.objects.aggregate(void=Sum("void_bets"), paid=Sum("payout_cents"))
        assert rounds | bets == {"all": 1, "void": 0, "paid": 2500} | {"void": 0}

    def test_is_recorded_with_both_settlements(self) -> None:
        """With both persons and the reason."""
        void(after=1)

        resettle(after=2, actor=LORENZO, approved_by=GIULIA)

        record = AuditRecord.objects.get(action="ROUND_RESETTLED")
        before = record.details["before"]
        assert (record.subject, record.actor) == ("round:r-1", LORENZO.name)
        assert (before["settlement"], before["kind"], before["paid"]) == (2, "void", "22.00")
        assert (record.details["settlement"], record.details["paid"]) == (3, "25.00")
        assert (record.details["approved_by"], record.details["reason"]) == (GIULIA.name, REASON)

    def test_may_be_repeated(self) -> None:
        """Ten decisions; the books are right after each."""
        for after in range(1, 11):
            (void if after % 2 else resettle)(after=after)

            assert_books_are_right(lines(baccarat_round("r-1")))

        assert len(sequences()) == 11

    def test_by_the_second_of_two_persons_is_refused(self) -> None:
        """The round has been settled again meanwhile."""
        void(after=1)
        resettle(after=2)

        with pytest.raises(StaleSettlement, match=r"found settlement 3 \(settled\)"):
            resettle(after=2, actor=LORENZO, approved_by=GIULIA)

    def test_by_one_person_alone_is_refused(self) -> None:
        """An approver is required."""
        void(after=1)

        with pytest.raises(FourEyesRequired):
            resettle(after=2, approved_by=None)


class TestARoundThatIsNotResettled:
    @pytest.mark.usefixtures("settled")
    def test_because_its_rules_would_pay_the_same(self) -> None:
        """No transfer is written."""
        before = Transfer.objects.count()

        with pytest.raises(SettlementUnchanged):
            resettle(after=1)

        assert Transfer.objects.count() == before

    def test_because_its_rules_hold_it(self) -> None:
        """Player drew on a natural, so the rules give no payout."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()

        with pytest.raises(RoundHeldByRules) as refused:
            resettle(after=0)

        assert refused.value.anomalies == ("extra-card",)
        assert (Settlement.objects.count(), balance("stakes_held")) == (0, 2200)

    def test_because_its_rules_hold_it_also_after_a_void(self) -> None:
        """The rules still give no payout."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()
        void(after=0)

        with pytest.raises(RoundHeldByRules):
            resettle(after=1)

        assert sequences() == [(1, "void")]

    def test_because_it_waits_for_a_worker(self) -> None:
        """The first settlement is the worker's."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        with pytest.raises(RoundNotValidated):
            resettle(after=0)

    def test_because_it_arrived_under_other_rules(self) -> None:
        """The running code has another definition of its rule set."""
        open_table()
        store(new_round("r-1")._replace(rules_digest=OTHER_DIGEST))
        hold_by_mistake("r-1")

        with pytest.raises(RulesChangedError):
            resettle(after=0)


class TestARoundThatWasHeldByMistake:
    def test_is_validated_and_paid_once_the_mistake_is_mended(self) -> None:
        """A second validation says that it complies with its rules."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        hold_by_mistake("r-1")

        resettled = resettle(after=0)

        assert resettled == (1, None, 2500, 0)
        validations = Validation.objects.order_by("sequence").values_list("status", "actor")
        assert list(validations) == [("held", "studio"), ("validated", GIULIA.name)]
        assert (balance("customer", "p-1"), balance("stakes_held")) == (2500, 0)


def hold_by_mistake(reference: str) -> None:
    """Holds a round, as code with a bug would."""
    [judged] = rounds_to_judge([stored(reference).id])
    Validation.objects.create(
        round_id=judged.id,
        sequence=1,
        status="held",
        anomalies=["extra-card"],
        validated_at=NOW,
        actor=STUDIO.name,
    )
    postings = Postings(at=NOW, stripe=0)
    postings.take_stakes(judged.id, staked_by(judged.dealt.bets))
    post_transfers(postings.blocks, postings.changes)
    QueuedRound.objects.filter(round_id=judged.id).delete()
