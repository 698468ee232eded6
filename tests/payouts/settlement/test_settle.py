"""Settlement: money moves once, balanced and explained."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Sum

from compliance.trail.actor import WORKER
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Account, Transfer
from payouts.settlement.models import BetSettlement, Settlement
from payouts.settlement.settle import settle_rounds
from rounds.models import QueuedRound, Round, Validation
from rounds.rules.catalogue import rule_set
from tests.casino_in_play import NOW, ingest, limit_stakes, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines

pytestmark = pytest.mark.django_db


def balance(kind: str, pseudonym: str | None = None) -> int:
    """The balance of all accounts of a kind, or of one customer, in cents."""
    accounts = Account.objects.filter(kind=kind)
    if pseudonym is not None:
        accounts = accounts.filter(customer__pseudonym=pseudonym)
    return accounts.aggregate(total=Sum("balance_cents"))["total"] or 0


class TestALegalRound:
    def test_pays_what_the_cards_say(self) -> None:
        """9 against 7: Player 10.00 pays 20.00, Banker nothing, Small 2.00 x 2.5 = 5.00."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settled_batch = settle()

        assert (settled_batch.settled, settled_batch.held) == (1, 0)
        paid = BetSettlement.objects.order_by("bet_number").values_list("outcome", "payout_cents")
        assert list(paid) == [("win", 2000), ("lose", 0), ("win", 500)]

    def test_leaves_every_account_with_the_computed_balance(self) -> None:
        """22.00 staked, 25.00 paid, all to p-1: the house is 3.00 down, nothing stays held."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settle()

        assert balance("wallet") == -2200
        assert balance("stakes_held") == 0
        assert balance("house") == -300
        assert balance("customer", "p-1") == 2500
        assert Account.objects.aggregate(total=Sum("balance_cents"))["total"] == 0

    def test_names_the_rule_of_every_bet(self) -> None:
        """Each bet's settlement cites at least one rule."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settle()

        reasons = list(BetSettlement.objects.values_list("reasons", flat=True))
        assert len(reasons) == 3
        assert all(reasons)

    def test_is_recorded_with_actor_and_time(self) -> None:
        """In the transaction of the settlement."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settle()

        record = AuditRecord.objects.get(action="ROUND_SETTLED")
        assert (record.subject, record.actor, record.at) == ("round:r-1", WORKER.name, NOW)
        assert (record.details["staked"], record.details["paid"]) == ("22.00", "25.00")

    def test_carries_the_digest_of_its_rules_from_its_arrival_to_its_record(self) -> None:
        """Which rules paid can be proved later."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settle()

        digest = rule_set("baccarat/1").digest
        records = [(record.action, record.details) for record in AuditRecord.objects.all()]
        assert bytes(Round.objects.get().rules_digest) == digest
        assert bytes(Settlement.objects.get().rules_digest) == digest
        named = {action: details["rules_digest"] for action, details in records}
        assert named == {"ROUND_RECEIVED": digest.hex(), "ROUND_SETTLED": digest.hex()}

    def test_leaves_the_queue(self) -> None:
        """A second sweep finds nothing."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settle()
        again = settle()

        assert (again.settled, QueuedRound.objects.count()) == (0, 0)

    def test_cannot_be_settled_a_second_time(self) -> None:
        """Unique keys refuse the rows."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        before = list(Transfer.objects.values_list("origin", "entry", "line"))

        with pytest.raises(IntegrityError), transaction.atomic():
            settle_rounds(round_ids=[Round.objects.get().id], at=NOW, actor=WORKER)

        assert list(Transfer.objects.values_list("origin", "entry", "line")) == before


class TestAHeldRound:
    def test_moves_no_money_but_holds_its_stakes(self) -> None:
        """22.00 are on the account of held stakes."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))

        settled_batch = settle()

        assert (settled_batch.settled, settled_batch.held) == (0, 1)
        assert Settlement.objects.count() == 0
        assert balance("stakes_held") == 2200
        assert balance("customer") == 0

    def test_has_its_anomalies(self) -> None:
        """In the validation and in the record."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))

        settle()

        validation = Validation.objects.get()
        assert (validation.status, validation.anomalies) == ("held", ["extra-card"])
        record = AuditRecord.objects.get(action="ROUND_HELD")
        assert record.details == {"anomalies": ["extra-card"]}

    def test_of_a_stake_outside_the_limits_of_its_table(self) -> None:
        """Contract, detail 14: an anomaly of ingested rounds only."""
        table = open_table()
        limit_stakes(table, player=(100, 999))
        ingest(lines(baccarat_round("r-1")))

        settle()

        assert Validation.objects.get().anomalies == ["stake-limits"]

    def test_is_judged_by_the_limits_at_its_arrival(self) -> None:
        """Later limits do not apply."""
        table = open_table()
        limit_stakes(table, player=(100, 1000))
        ingest(lines(baccarat_round("r-1")))
        limit_stakes(table, player=(100, 999))

        settle()

        assert Validation.objects.get().anomalies == []


class TestAVoidBet:
    def test_is_refunded_from_the_stakes_held(self) -> None:
        """A late bet is returned, the others are settled."""
        open_table()
        late = baccarat_bet("b2", "tie", "7.00", placed_at="2026-11-21T21:10:26Z", player="p-2")
        bets = [baccarat_bet("b1", "banker", "10.00"), late]
        ingest(lines(baccarat_round("r-1", bets=bets)))

        settle()

        assert balance("customer", "p-2") == 700
        assert balance("house") == 1000
        assert balance("stakes_held") == 0


class TestAMalfunction:
    def test_voids_a_baccarat_round_as_a_settlement_of_its_own_kind(self) -> None:
        """A void is a settlement."""
        open_table()
        ingest(lines(baccarat_round("r-1", incident="malfunction")))

        settle()

        assert Settlement.objects.get().kind == "void"
        assert balance("customer", "p-1") == 1200
        assert balance("customer", "p-2") == 1000
        assert balance("house") == 0


class TestARoundWithoutBets:
    def test_is_settled_without_a_transfer(self) -> None:
        """No money moves."""
        open_table()
        ingest(lines(baccarat_round("r-1", bets=[])))

        settled_batch = settle()

        assert (settled_batch.settled, Transfer.objects.count()) == (1, 0)
