"""Stake limits that nobody signed: they are never in force, and all are named."""

from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
from django.db import IntegrityError, transaction

from compliance.signatures import verify_rows as rows_in_force
from compliance.signatures.models import DecisionSignature
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import record_entry
from compliance.trail.steps import PersonRequired, StaleState
from rounds.models import Round, StakeLimit, StakeLimitSet, Table
from rounds.services import limit_stakes as service
from rounds.services import limits_in_force
from rounds.services.limit_stakes import limit_stakes
from rounds.services.limits_in_force import KNOWN, set_in_force
from tests.attacks.forgeries import as_web
from tests.attacks.guards import Guard
from tests.casino_in_play import FLOOR, NOW, ingest, open_table
from tests.casino_in_play import limit_stakes as put_in_force
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db

LATER: Final = NOW + timedelta(minutes=1)
UNSIGNED: Final = Actor(FLOOR.name, FLOOR.user_id)


@pytest.fixture
def table(db: None) -> Table:
    """A table whose limit on Player is 5.00, by signature."""
    KNOWN.forget()
    table = open_table()
    put_in_force(table, player=(100, 500))
    return table


def forged(table: Table, *, most: int = 1_000_000, **columns: Any) -> StakeLimitSet:
    """A set in the name of the floor, without a signature."""
    forged = StakeLimitSet.objects.create(
        table=table,
        **{"decided_at": LATER, "decided_by": FLOOR.name, "actor_user_id": FLOOR.user_id} | columns,
    )
    StakeLimit.objects.create(limit_set=forged, kind="player", min_cents=100, max_cents=most)
    return forged


def greatest_stake(table: Table) -> int:
    """The limit on Player in force."""
    in_force = set_in_force(table.pk)
    assert in_force is not None
    return in_force.cents["player"][1]


def faults() -> list[str]:
    """What ``verify_trail`` names about signed decisions."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


class TestLimits:
    def test_that_their_person_signed_are_in_force(self, table: Table) -> None:
        """The control: a later set replaces an earlier one."""
        put_in_force(table, player=(100, 700))

        assert greatest_stake(table) == 700
        assert faults() == []

    def test_of_unsigned_rows_are_not_in_force(self, table: Table) -> None:
        """Rows and audit record by SQL of the web role; a round keeps the limits before."""
        signed = set_in_force(table.pk)
        with as_web():
            record_entry(forged(table).entry, at=LATER, actor=UNSIGNED)
        ingest(lines(baccarat_round("r-1")))

        assert Round.objects.get().limit_set == signed
        assert len(faults()) == 2  # the row, and its record

    def test_of_a_row_alone_are_not_in_force(self, table: Table) -> None:
        """Without an audit record, in the name of a program."""
        with as_web():
            forged(table, decided_by="demo", actor_user_id=None)

        assert greatest_stake(table) == 500
        unsigned = "row of LIMITS_DECIDED of table:bac-1 by demo"
        assert faults() == [f"{unsigned}: found no audit record of it"]

    def test_with_the_signature_of_others_are_not_in_force(self, table: Table) -> None:
        """The text names the limits."""
        with as_web():
            record_id = record_entry(forged(table).entry, at=LATER, actor=UNSIGNED)
            real = AuditRecord.objects.filter(action="LIMITS_DECIDED").order_by("id").first()
            assert real is not None
            replayed = DecisionSignature.objects.get(record_id=real.pk)
            replayed.record_id, replayed.signed_with = record_id, [record_id]
            replayed.save(force_insert=True)

        assert greatest_stake(table) == 500
        assert len(faults()) == 2

    def test_of_another_table_are_not_in_force(self, table: Table) -> None:
        """The text names the table."""
        other = open_table("bac-2")
        with as_web():
            forged(other, most=500, decided_at=NOW)

        assert set_in_force(other.pk) is None

    def test_that_were_replaced_do_not_come_back_as_a_copy(self, table: Table) -> None:
        """The latest by the time that was signed is in force, not the last row."""
        put_in_force(table)
        without = set_in_force(table.pk)
        assert without is not None
        put_in_force(table, player=(100, 400))
        with as_web():
            without.pk = None
            without.save(force_insert=True)

        assert greatest_stake(table) == 400

    def test_do_not_change_once_they_are_decided(self, table: Table) -> None:
        """A further line would make the set one that nobody signed, and undo it."""
        in_force = StakeLimitSet.objects.get()
        with as_web(), pytest.raises(IntegrityError, match="decided"), transaction.atomic():
            StakeLimit.objects.create(limit_set=in_force, kind="tie", min_cents=1, max_cents=1)

        assert greatest_stake(table) == 500

    @pytest.mark.parametrize(
        ("actor", "refusal"),
        [(UNSIGNED, SignatureRequired), (Actor("demo"), PersonRequired)],
    )
    def test_are_not_set_without_a_signature(
        self, table: Table, actor: Actor, refusal: type[Exception]
    ) -> None:
        """The service answers with the text and writes nothing."""
        in_force = set_in_force(table.pk)
        assert in_force is not None
        with pytest.raises(refusal):
            limit_stakes(table_id=table.pk, limits={}, seen=in_force.pk, at=LATER, actor=actor)

        assert list(StakeLimitSet.objects.all()) == [in_force]

    def test_are_not_dated_back(self, table: Table) -> None:
        """Such a set would be signed and never in force."""
        in_force = set_in_force(table.pk)
        assert in_force is not None
        with pytest.raises(StaleState):
            limit_stakes(table_id=table.pk, limits={}, seen=in_force.pk, at=NOW, actor=FLOOR)


GUARDS: Final = (
    Guard(
        rows_in_force.RowsInForce._verify,
        "self._is_signed(row, verifier)",
        TestLimits().test_of_unsigned_rows_are_not_in_force,
        passing="True",
    ),
    Guard(
        rows_in_force.RowsInForce.first_of_each,
        "not self._verify(row, verifier)",
        TestLimits().test_of_unsigned_rows_are_not_in_force,
    ),
    Guard(
        rows_in_force.RowsInForce.first_of_each,
        "not unsigned",
        TestLimits().test_of_unsigned_rows_are_not_in_force,
        passing="True",
    ),
    Guard(
        rows_in_force.is_signed_row,
        "verifier.verify_row(row)",
        TestLimits().test_with_the_signature_of_others_are_not_in_force,
        passing="None",
    ),
    Guard(
        limits_in_force.sets_in_force,
        "sets.order_by('table_id', '-decided_at', 'id')",
        TestLimits().test_that_were_replaced_do_not_come_back_as_a_copy,
        passing="sets.order_by('table_id', '-id')",
        noticed_by=KeyError,  # the copy has no limit at all
    ),
    Guard(
        service.limit_stakes,
        "in_force is not None and at <= in_force.decided_at",
        TestLimits().test_are_not_dated_back,
    ),
    Guard(
        service.limit_stakes,
        "record_decision(decided.entry, at=at, actor=actor)",
        partial(
            TestLimits().test_are_not_set_without_a_signature,
            actor=UNSIGNED,
            refusal=SignatureRequired,
        ),
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The forged set is in force."""
    guard.is_needed(request)
    KNOWN.forget()
