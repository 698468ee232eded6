"""The sweep: one round that cannot be settled never holds back the others, and is never dropped."""

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
    """A round that names a rule set which the catalogue has lost: nobody can judge it."""
    new = new_round(reference)
    store(new._replace(dealt=new.dealt._replace(rules="baccarat/0")))


class TestARoundThatCannotBeSettled:
    def test_does_not_hold_back_its_batch(self) -> None:
        """Two sound rounds around it are settled."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        store_round_of_a_forgotten_rule_set("r-2")
        ingest(lines(baccarat_round("r-3")))

        done = settle()

        assert done.settled == 2
        settled = Settlement.objects.values_list("round__reference", flat=True)
        assert sorted(settled) == ["r-1", "r-3"]

    def test_waits_with_its_error_for_a_later_try(self) -> None:
        """Stuck work keeps the last error and comes due again after a pause."""
        open_table()
        store_round_of_a_forgotten_rule_set("r-2")

        settle()

        waiting = QueuedRound.objects.get()
        assert waiting.attempts == 1
        assert "baccarat/0" in waiting.last_error
        assert waiting.due_at == NOW + timedelta(seconds=5)

    def test_pauses_longer_each_time_but_is_never_given_up(self) -> None:
        """Five seconds, ten, twenty … and never more than ten minutes."""
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
    def test_takes_the_oldest_arrivals_first(self) -> None:
        """One batch of many rounds: those that came first are settled first."""
        open_table()
        rounds = (baccarat_round(f"r-{number}") for number in range(BATCH_ROUNDS + 100))
        ingest(lines(*rounds))

        sweep_waiting_rounds(now=lambda: NOW, actor=WORKER, batches=1)

        left = Round.objects.filter(queuedround__isnull=False).order_by("arrival")
        assert left.count() == 100
        assert left[0].reference == f"r-{BATCH_ROUNDS}"

    def test_is_bounded_by_bets_but_takes_at_least_one_round(self) -> None:
        """A popular round with more bets than a batch wants is a batch of its own."""
        table = open_table()
        bets = [{**baccarat_round("r")["bets"][0], "id": f"b{number}"} for number in range(20_001)]
        ingest(lines(baccarat_round("r-1", bets=bets), baccarat_round("r-2")))

        first = sweep_waiting_rounds(now=lambda: NOW, actor=WORKER, batches=1)

        assert Table.objects.get() == table
        assert first.settled == 1
        assert Settlement.objects.get().round.reference == "r-1"


class TestARoundThatArrivedUnderOtherRules:
    """The code that runs has the same name for another definition."""

    def test_is_paid_to_nobody_and_holds_nobody_back(self) -> None:
        """Whoever bet was promised the rules of that day; the round beside it is settled."""
        open_table()
        store(new_round("r-1")._replace(rules_digest=OTHER_DIGEST))
        ingest(lines(baccarat_round("r-2")))

        done = settle()

        assert (done.settled, done.held) == (1, 0)
        assert Settlement.objects.get().round.reference == "r-2"
        assert not Validation.objects.filter(round__reference="r-1").exists()

    def test_waits_with_both_digests(self) -> None:
        """Who finds it knows which release to look for."""
        open_table()
        store(new_round("r-1")._replace(rules_digest=OTHER_DIGEST))

        settle()

        error = QueuedRound.objects.get().last_error
        assert error.startswith("RulesChangedError: baccarat/1 ")
        assert OTHER_DIGEST.hex() in error
        assert rule_set("baccarat/1").digest.hex() in error

    def test_is_on_record_once_however_often_it_is_tried(self) -> None:
        """Tries go on for ever; the refusal is one fact."""
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
