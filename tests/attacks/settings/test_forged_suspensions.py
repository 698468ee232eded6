"""Tables that are resumed, or suspended, without a signature: nothing changes, and it is named."""

from functools import partial
from typing import Any, Final

import pytest

from compliance.signatures import sign_decision
from compliance.signatures import signature_verifier as verification
from compliance.signatures import verify_rows as rows_in_force
from compliance.signatures.models import EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from compliance.trail.steps import PersonRequired
from payouts.settlement.models import Settlement
from rounds import suspended_tables
from rounds.models import QueuedRound, Table, TableSuspension
from rounds.services import queue
from rounds.services.suspend_table import StatedReason, resume_table, suspend_table
from rounds.suspended_tables import KNOWN, UNTIL_RESUMED, suspensions
from tests.attacks.forgeries import as_web, faults
from tests.attacks.guards import Guard
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import GIULIA
from tests.rounds.test_suspend_table import AT_OPENING, REASON

pytestmark = pytest.mark.django_db

UNSIGNED: Final = Actor(GIULIA.name, GIULIA.user_id)


@pytest.fixture
def table(db: None) -> Table:
    """A table that Giulia has suspended, with a round that waits."""
    KNOWN.forget()
    table = open_table()
    suspend_table(table_id=table.pk, reason=REASON, note="", seen=0, at=AT_OPENING, actor=GIULIA)
    ingest(lines(baccarat_round("r-1")))
    return table


def forged(table: Table, **columns: Any) -> TableSuspension:
    """A resumption in Giulia's name, without a signature."""
    resumed = {"sequence": 2, "action": "resumed", "note": "checked", "at": NOW}
    return TableSuspension.objects.create(
        table=table, **resumed | columns, actor=GIULIA.name, actor_user_id=GIULIA.user_id
    )


def waits() -> bool:
    """Whether the workers leave the round in the queue, until its table is resumed."""
    settle()
    return not Settlement.objects.exists() and QueuedRound.objects.get().due_at == UNTIL_RESUMED


class TestATable:
    def test_that_was_resumed_by_signature_is_in_play(self, table: Table) -> None:
        """The control."""
        resume_table(table_id=table.pk, note="checked", seen=1, at=NOW, actor=GIULIA)
        settle()

        assert Settlement.objects.count() == 1
        assert faults() == []

    def test_is_not_resumed_by_unsigned_rows(self, table: Table) -> None:
        """The step, its record and the due time of the round, by SQL of the web role."""
        with as_web():
            record_entry(forged(table).entry, at=NOW, actor=UNSIGNED)
            QueuedRound.objects.update(due_at=NOW)

        assert waits()
        assert len(faults()) == 2

    def test_has_no_resumption_by_unsigned_rows_in_its_history(self, table: Table) -> None:
        """Which the page of the table shows."""
        with as_web():
            record_entry(forged(table).entry, at=NOW, actor=UNSIGNED)

        [suspension] = suspended_tables.past_suspensions(table.pk, most=5)

        assert suspension.resumed is None

    def test_is_not_resumed_by_a_decision_from_before_signatures(self, table: Table) -> None:
        """Such a decision stood for its own step, which its record names."""
        entry = forged(table).entry._replace(
            details={"sequence": 8, "note": "checked", "rounds": 0}
        )
        record_id = record_entry(entry, at=NOW, actor=UNSIGNED)
        EarlierDecision.objects.create(record_id=record_id)
        with as_web():
            QueuedRound.objects.update(due_at=NOW)

        assert waits()

    def test_is_not_resumed_by_due_times(self, table: Table) -> None:
        """The worker asks whether the table is suspended."""
        with as_web():
            QueuedRound.objects.update(due_at=NOW)

        assert waits()

    def test_is_resumed_by_signature_after_a_forgery(self, table: Table) -> None:
        """The next even number."""
        with as_web():
            forged(table)
        step, waited = resume_table(table_id=table.pk, note="checked", seen=1, at=NOW, actor=GIULIA)
        settle()

        assert (step.sequence, waited, Settlement.objects.count()) == (4, 1, 1)

    def test_is_not_suspended_by_unsigned_rows(self) -> None:
        """Rounds that arrive are due."""
        reason = REASON._asdict()
        stated = {f"reason_{name.removeprefix('text_')}": reason[name] for name in reason}
        opened = open_table("bac-2")
        with as_web():
            forged(opened, sequence=1, action="suspended", **stated)

        assert suspensions() == {}

    @pytest.mark.parametrize(
        ("actor", "refusal"), [(UNSIGNED, SignatureRequired), (Actor("program"), PersonRequired)]
    )
    def test_is_neither_suspended_nor_resumed_without_a_signature(
        self, table: Table, actor: Actor, refusal: type[Exception]
    ) -> None:
        """The services write nothing."""
        reason = StatedReason("camera", "telecamera", "camera")
        with pytest.raises(refusal):
            resume_table(table_id=table.pk, note="checked", seen=1, at=NOW, actor=actor)
        with pytest.raises(refusal):
            suspend_table(
                table_id=open_table("bac-2").pk,
                reason=reason,
                note="",
                seen=0,
                at=NOW,
                actor=actor,
            )

        assert TableSuspension.objects.count() == 1


GUARDS: Final = (
    Guard(
        rows_in_force.RowsInForce.signed_among,
        "self._verify(row, verifier)",
        TestATable().test_has_no_resumption_by_unsigned_rows_in_its_history,
        passing="True",
    ),
    Guard(
        rows_in_force.is_signed_row,
        "verifier.verify_row(row)",
        TestATable().test_is_not_resumed_by_unsigned_rows,
        passing="None",
    ),
    Guard(
        verification._agrees,
        "all((said[name] == record.details[name] for name in common))",
        TestATable().test_is_not_resumed_by_a_decision_from_before_signatures,
        passing="True",
    ),
    Guard(
        suspended_tables._latest_of_each,
        "steps.select_related('table').order_by('table_id', '-sequence')",
        TestATable().test_that_was_resumed_by_signature_is_in_play,
        passing="steps.select_related('table').order_by('table_id', 'sequence')",
    ),
    Guard(
        queue._suspend_again,
        "suspensions()",
        TestATable().test_is_not_resumed_by_due_times,
        passing="{}",
    ),
    Guard(
        sign_decision.create_signed_step,
        "record_decision(step.entry, at=at, actor=actor)",
        partial(
            TestATable().test_is_neither_suspended_nor_resumed_without_a_signature,
            actor=UNSIGNED,
            refusal=SignatureRequired,
        ),
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The round of the suspended table is settled."""
    guard.is_needed(request)
    KNOWN.forget()
