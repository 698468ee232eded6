"""Changes of a superuser with disabled triggers: the random share of the workers finds them.

Nobody waits for the night: whatever is drawn is judged again and verified, and stops settlement.
"""

import pytest

from compliance.trail.log.verify_inclusion import _Log, verify_inclusion
from compliance.trail.models import AuditRecord
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import open_stops
from payouts.recheck import verify_share as checks
from payouts.recheck.models import RecheckHour
from payouts.settlement.models import Settlement
from rounds.signatures import verify_rounds
from tests.attacks.guards import weakened
from tests.attacks.integrity.planted import PLANTED, verify_share
from tests.attacks.integrity.stops import assert_settled, assert_stopped, resume_by_two
from tests.payouts.reconciliation.five_games import differences, tamper

pytestmark = pytest.mark.usefixtures("small_casino")

_CHECKS = {
    "card": (checks.verify_rounds_between, "check_rounds(keys, result)"),
    "approval of a case": (
        checks.verify_rounds_between,
        "check_decisions(result, Case.objects.filter(pk__in=works.values('run_id')))",
    ),
    "signature of the studio": (
        checks.verify_rounds_between,
        "verify_rounds(rounds, findings.report)",
    ),
    "text of a record about access": (
        checks.verify_batch_of,
        "check_records(KeyRange(batch, UUID(int=batch.int + MOST_RECORDS)), result)",
    ),
    "signature of a person": (
        checks._verify_records,
        "verify_records(records, findings.report, SignatureVerifier())",
    ),
    "text of a record": (verify_inclusion, "leaf == stored"),
    "text of a record and its digest": (
        _Log.verify,
        "not is_included(leaf, index, size, path, bytes(root))",
    ),
    "head of the log": (_Log._place_of, "head_fault(place.head, self._keys)"),
}
_PASSING = {"text of a record": "True", "text of a record and its digest": "False"}


def findings() -> list[str]:
    """What the open stops name."""
    assert {stop.kind for stop in open_stops()} <= {"recheck"}
    return [finding for stop in open_stops() for finding in stop.findings]


def test_nothing_is_found_where_nothing_was_changed() -> None:
    """The control. What was verified is counted."""
    verify_share()

    assert findings() == []
    [counted] = RecheckHour.objects.all()
    assert (counted.recent_rounds, counted.random_rounds) == (5, 5)
    assert counted.records > 0
    assert counted.decisions > 1
    assert counted.longest_pass_seconds > 0


# Without those of _CHECKS the tests of these checks would show nothing.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in _CHECKS else [pytest.mark.slow]) for name in PLANTED],
)
def test_a_planted_change_is_found_and_stops_settlement(name: str) -> None:
    """It is named with what was found and needed; two persons resume, and it stops no more."""
    planted = PLANTED[name]
    planted.plant()
    before = Settlement.objects.count()

    verify_share()

    assert [finding for finding in findings() if planted.found in finding] != []
    assert_stopped(before=before)
    resume_by_two()
    verify_share()
    assert findings() == []
    assert_settled(before=before)


@pytest.mark.slow
def test_what_the_share_found_does_not_stop_again_at_night() -> None:
    """The reconciliation of the night finds the same difference of the round."""
    PLANTED["settlement"].plant()
    verify_share()
    resume_by_two()

    names = {text.split(":")[0] for text in IntegrityStop.objects.get().findings}
    assert differences() != []

    again = {text.split(":")[0] for stop in open_stops() for text in stop.findings}
    assert not names & again


@pytest.mark.parametrize("name", _CHECKS)
def test_without_its_check_a_change_is_not_found(name: str) -> None:
    """Each check of the share is needed."""
    PLANTED[name].plant()
    function, condition = _CHECKS[name]

    with weakened(function, condition, _PASSING.get(name, "None")):
        verify_share()

    assert [finding for finding in findings() if PLANTED[name].found in finding] == []


def test_a_round_of_another_table_than_its_key_is_found() -> None:
    """A round of a table of the studio that is moved to another one."""
    with weakened(verify_rounds.verify_rounds, "table not in batch.tables", "True"):
        verify_share()

    assert any("the key of signed batch S-1 is not one of bac-9" in text for text in findings())


@pytest.mark.slow
def test_a_record_outside_the_log_is_found() -> None:
    """Its batch is neither in the log nor pending."""
    record = AuditRecord.objects.filter(subject="round:r-0").earliest("id")
    tamper(
        "DELETE FROM trail_loggedbatch WHERE batch_id = %(id)s",
        id=f"{str(record.id)[:-6]}000000",
    )

    verify_share()

    assert any("the batch is neither in the log nor pending" in text for text in findings())
