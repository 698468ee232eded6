"""Each check that fails stops settlement; rounds wait until two persons resume, and lose nothing.

Every fault is a real one: in files, guards, audit records or the ledger.
"""

import pytest
from django.db import connection
from pytest_django import Settings

from compliance.release import current_release
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import open_stops
from payouts.integrity.verify_audit_trail import AuditTrailFaulty, verify_audit_trail
from payouts.integrity.verify_schema import SchemaDiffers, verify_schema
from payouts.settlement.sweep import batch_settled
from rounds.models import Round
from tests.attacks.integrity.stops import (
    assert_settled,
    assert_stopped,
    resume,
    resume_by_two,
    stopped,
    two_rounds_wait,
)
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.release.conftest import release
from tests.compliance.release.small_release import SmallRelease
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed, execute
from tests.payouts.reconciliation.five_games import differences, tamper
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

__all__ = ["release"]  # a fixture
pytestmark = pytest.mark.usefixtures("fresh_casino")

NIGHT = Actor("night")


def break_guard() -> None:
    """Somebody disables a trigger, and the comparison of the night finds it."""
    _alter("DISABLE")
    with pytest.raises(SchemaDiffers):
        verify_schema(at=NOW, actor=NIGHT)


def repair_guard() -> None:
    """As it was."""
    _alter("ENABLE")


def _alter(what: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE payouts_casestep {what} TRIGGER USER")


def test_a_broken_guard_stops_settlement() -> None:
    """Two persons resume once it is repaired; then all rounds are settled, once."""
    two_rounds_wait()

    break_guard()

    assert [stop.kind for stop in open_stops()] == ["schema"]
    assert_stopped()
    repair_guard()
    resume_by_two()
    assert_settled()


def test_a_changed_balance_stops_settlement() -> None:
    """As soon as reconciliation finds it; a further reconciliation that finds it too does not."""
    open_table()
    ingest(lines(baccarat_round("r-0")))
    settle()
    two_rounds_wait()
    tamper("UPDATE payouts_account SET balance_cents = balance_cents - 5 WHERE kind = 'house'")

    assert differences() != []

    assert {stop.kind for stop in open_stops()} == {"books"}
    assert_stopped(before=1)
    resume_by_two()
    assert differences() != []
    assert_settled(before=1)


def test_a_changed_audit_record_stops_settlement() -> None:
    """And the same fault does not stop it again: what is stored is never repaired."""
    two_rounds_wait()
    record = AuditRecord.objects.order_by("id")[0]
    tamper(f"UPDATE trail_auditrecord SET actor = 'Somebody' WHERE id = '{record.id}'")
    with pytest.raises(AuditTrailFaulty):
        verify_audit_trail(at=NOW)
    assert_stopped()
    resume_by_two()

    with pytest.raises(AuditTrailFaulty):
        verify_audit_trail(at=NOW)

    assert open_stops() == []
    assert_settled()


def test_changed_files_stop_the_worker_that_runs_them(release: SmallRelease) -> None:
    """Before its next batch, without a nightly task; again as long as they are not repaired."""
    two_rounds_wait()
    release.write("toycasino/evil.py", b"")
    assert_stopped()
    [stop] = open_stops()
    assert stop.kind == "release"
    assert stop.findings[0].endswith(
        "toycasino/evil.py: found an additional file; needed none that is not listed"
    )

    resume_by_two()
    assert_stopped()
    (release.root / "toycasino/evil.py").unlink()
    current_release._KEPT.state = None
    resume_by_two()

    assert_settled()


def test_a_broken_guard_stops_again_after_its_repair() -> None:
    """The finding is the same, the attack is another."""
    two_rounds_wait()
    break_guard()
    repair_guard()
    resume_by_two()

    break_guard()

    assert_stopped()


def test_rounds_are_accepted_meanwhile_and_cases_wait() -> None:
    """A round that arrives during the stop, and a credit that two persons approved."""
    two_rounds_wait()
    settle()
    case = credit_proposed("p-1", 200)
    approve(case)
    stopped()

    ingest(lines(baccarat_round("r-3")))
    settle()

    assert Round.objects.count() == 3
    assert execute(case) == [("", None)]
    resume_by_two()
    assert execute(case) == [("done", None)]
    assert settle().settled == 1


def test_a_running_worker_stops_at_its_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first batch, of one round, is settled; then a check fails."""
    two_rounds_wait()
    monkeypatch.setattr("payouts.settlement.sweep.BATCH_ROUNDS", 1)

    def fail(**_signal: object) -> None:
        stopped()

    batch_settled.connect(fail)
    try:
        counts = settle()
    finally:
        batch_settled.disconnect(fail)

    assert counts.settled == 1


def test_findings_add_up_and_are_signed_together() -> None:
    """The same finding stops once; another one is a further stop."""
    two_rounds_wait()
    stopped("a", "b")
    stopped("b", "c")

    assert sorted(stop.findings for stop in open_stops()) == [["a", "b"], ["c"]]
    resume_by_two()
    assert_settled()


def test_a_further_stop_needs_both_persons_too() -> None:
    """It came after the first person had looked."""
    two_rounds_wait()
    first = stopped("a")
    resume(by=GIULIA, seen=0)
    second = stopped("b")

    resume(by=LORENZO, seen=1, stops=[first.pk])

    assert_stopped()
    resume(by=LORENZO, seen=0, stops=[second.pk])
    resume(by=GIULIA, seen=1, stops=[second.pk])
    assert_settled()


def test_a_check_that_is_left_out_only_tells(settings: Settings) -> None:
    """By INTEGRITY_STOPS; the stop is on record nevertheless."""
    settings.INTEGRITY_STOPS = ["schema"]
    two_rounds_wait()

    stop = stopped()

    assert_settled()
    assert open_stops() == [stop]
    record = AuditRecord.objects.get(action="INTEGRITY_CHECK_FAILED")
    assert record.details["findings"] == stop.findings
    assert IntegrityStop.objects.count() == 1
