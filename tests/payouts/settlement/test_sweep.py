"""The sweep: a round that cannot be settled neither blocks others nor is dropped."""

from datetime import timedelta

import pytest

from compliance.trail.actor import WORKER
from compliance.trail.models import AuditRecord
from payouts.settlement.models import Settlement
from payouts.settlement.sweep import BATCH_ROUNDS, sweep_waiting_rounds
from rounds.models import QueuedRound, Round, Table, Validation
from rounds.rules.catalogue import rule_set
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.stored_rounds import OTHER_DIGEST, new_round, store

pytestmark = pytest.mark.django_db


def store_round_of_a_forgotten_rule_set(reference: str) -> None:
    """A round of an unknown rule set."""
    new = new_round(reference)
    store(new._replace(dealt=new.dealt._replace(rules="baccarat/0")))


class TestARoundThatCannotBeSettled:
    def test_does_not_hold_back_its_batch(self) -> None:
        """Two other rounds are settled."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        store_round_of_a_forgotten_rule_set("r-2")
        ingest(lines(baccarat_round("r-3")))

        settled_batch = settle()

        assert settled_batch.settled == 2
        settled = Settlement.objects.values_list("round__reference", flat=True)
        assert sorted(settled) == ["r-1", "r-3"]

    def test_is_retried_later(self) -> None:
        """With its latest error."""
        open_table()
        store_round_of_a_forgotten_rule_set("r-2")

        settle()

        waiting = QueuedRound.objects.get()
        assert waiting.attempts == 1
        assert "baccarat/0" in waiting.last_error
        assert waiting.due_at == NOW + timedelta(seconds=5)

    def test_pauses_longer_each_time_but_is_never_given_up(self) -> None:
        """From five seconds to ten minutes."""
        open_table()
        store_round_of_a_forgotten_rule_set("r-2")
        pauses = []
        moment = NOW

        for _ in range(9):
            sweep_waiting_rounds(now=lambda: moment, actor=WORKER, batches=1)  # noqa: B023  called at once
            due = QueuedRound.objects.get().due_at
            pauses.append((due - moment).total_seconds())
            moment = due

        assert pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600]


class TestABatch:
    @pytest.mark.slow
    def test_takes_the_oldest_arrivals_first(self) -> None:
        """Of more rounds than a batch has."""
        open_table()
        rounds = (baccarat_round(f"r-{number}") for number in range(BATCH_ROUNDS + 100))
        ingest(lines(*rounds))

        sweep_waiting_rounds(now=lambda: NOW, actor=WORKER, batches=1)

        left = Round.objects.filter(queuedround__isnull=False).order_by("arrival")
        assert left.count() == 100
        assert left[0].reference == f"r-{BATCH_ROUNDS}"

    @pytest.mark.slow
    def test_is_bounded_by_bets_but_takes_at_least_one_round(self) -> None:
        """A round with many bets is a batch of its own."""
        table = open_table()
        bets = [{**baccarat_round("r")["bets"][0], "id": f"b{number}"} for number in range(20_001)]
        ingest(lines(baccarat_round("r-1", bets=bets), baccarat_round("r-2")))

        first = sweep_waiting_rounds(now=lambda: NOW, actor=WORKER, batches=1)

        assert Table.objects.get() == table
        assert first.settled == 1
        assert Settlement.objects.get().round.reference == "r-1"


class TestARoundThatArrivedUnderOtherRules:
    """The running code has another definition of the rule set."""

    def test_is_not_paid_and_blocks_no_other_round(self) -> None:
        """Other rounds are settled."""
        open_table()
        store(new_round("r-1")._replace(rules_digest=OTHER_DIGEST))
        ingest(lines(baccarat_round("r-2")))

        settled_batch = settle()

        assert (settled_batch.settled, settled_batch.held) == (1, 0)
        assert Settlement.objects.get().round.reference == "r-2"
        assert not Validation.objects.filter(round__reference="r-1").exists()

    def test_waits_with_both_digests(self) -> None:
        """They show which release is needed."""
        open_table()
        store(new_round("r-1")._replace(rules_digest=OTHER_DIGEST))

        settle()

        error = QueuedRound.objects.get().last_error
        assert error.startswith("RulesChangedError: baccarat/1 ")
        assert OTHER_DIGEST.hex() in error
        assert rule_set("baccarat/1").digest.hex() in error

    def test_is_recorded_once(self) -> None:
        """Despite several attempts."""
        open_table()
        store(new_round("r-1")._replace(rules_digest=OTHER_DIGEST))

        for hours in range(3):
            later = NOW + timedelta(hours=hours)
            sweep_waiting_rounds(now=lambda at=later: at, actor=WORKER, batches=10)  # type: ignore[misc]

        record = AuditRecord.objects.get(action="ROUND_REFUSED")
        assert QueuedRound.objects.get().attempts == 3
        assert (record.subject, record.actor) == ("round:r-1", WORKER.name)
        assert record.details == {
            "rules": "baccarat/1",
            "received_under": OTHER_DIGEST.hex(),
            "running": rule_set("baccarat/1").digest.hex(),
        }
