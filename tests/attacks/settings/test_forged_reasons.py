"""Reasons that nobody signed: no decision is taken by them, and all are named."""

from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
from django.db import IntegrityError, ProgrammingError, transaction

from compliance.signatures.models import EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.record import record_entry
from compliance.trail.steps import PersonRequired
from payouts.cases import manage_reasons, reasons_in_force, verify_case
from payouts.cases.manage_reasons import add_reason, change_reason, wording_of
from payouts.cases.models import Case, CaseHalt, GoodwillCredit, Reason
from payouts.cases.open_case import ReasonNotInUse, open_case
from payouts.cases.reasons_in_force import KNOWN, reason_in_force, reasons_in_use
from tests.attacks.forgeries import Moved, as_web, faults, nothing_moves, step
from tests.attacks.guards import Guard
from tests.casino_in_play import NOW, ingest, open_table
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed, execute, opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import ANOTHER

pytestmark = pytest.mark.django_db

CODE: Final = "service-failure"
LATER: Final = NOW + timedelta(minutes=1)
UNSIGNED: Final = Actor(LORENZO.name, LORENZO.user_id)


@pytest.fixture(autouse=True)
def restricted(db: None) -> Reason:
    """The reason, and a customer."""
    KNOWN.forget()
    open_table()
    ingest(lines(baccarat_round("r-1")))
    return restrict()


def restrict() -> Reason:
    """Lorenzo decides that the regulator decides first about credits for this reason."""
    reason = reason_in_force(CODE)
    assert reason is not None
    wording = wording_of(reason)._replace(needs_regulator=True)
    return change_reason(code=CODE, wording=wording, seen=reason.version, at=NOW, actor=ANOTHER)


def forged(**columns: Any) -> Reason:
    """A version in Lorenzo's name without the regulator, and without a signature."""
    latest = reason_in_force(CODE)
    assert latest is not None
    stated: dict[str, Any] = {
        "code": CODE,
        "purpose": latest.purpose,
        "version": 3,
        "replaces": latest,
        "at": LATER,
        "actor": LORENZO.name,
        "actor_user_id": LORENZO.user_id,
    }
    return Reason.objects.create(**latest.wording | {"needs_regulator": False} | stated | columns)


class TestAReason:
    def test_that_its_person_signed_is_in_force(self, restricted: Reason) -> None:
        """The control; the version that a migration wrote was in force before."""
        assert reason_in_force(CODE) == restricted
        assert restricted.version == 2
        assert faults() == []

    def test_of_an_unsigned_row_is_not_in_force(self, restricted: Reason) -> None:
        """Row and audit record by SQL of the web role."""
        with as_web():
            record_entry(forged().entry, at=LATER, actor=UNSIGNED)

        assert reason_in_force(CODE) == restricted
        assert len(faults()) == 2

    def test_dated_as_a_decision_from_before_signatures_is_not_in_force(
        self, restricted: Reason
    ) -> None:
        """Their records said less, so that any row agrees with them; their rows name no person."""
        entry = restricted.entry._replace(details={})
        EarlierDecision.objects.create(record_id=record_entry(entry, at=LATER, actor=UNSIGNED))
        with as_web():
            forged()

        assert reason_in_force(CODE) == restricted

    def test_of_nobody_is_refused(self) -> None:
        """Only migrations wrote such rows."""
        with as_web(), pytest.raises(IntegrityError, match="no person"), transaction.atomic():
            forged(actor_user_id=None)

    def test_that_was_changed_does_not_come_back(self, restricted: Reason) -> None:
        """The text names the version."""
        signed = change_reason(
            code=CODE,
            wording=wording_of(restricted)._replace(text_en="Failure"),
            seen=2,
            at=LATER,
            actor=LORENZO,
        )
        with as_web():
            restricted.pk, restricted.version = None, 4
            restricted.save(force_insert=True)

        assert reason_in_force(CODE) == signed

    def test_is_never_edited(self) -> None:
        """The web role adds versions, and nothing else."""
        with as_web(), pytest.raises(ProgrammingError), transaction.atomic():
            Reason.objects.update(needs_regulator=False)

    @pytest.mark.parametrize(
        ("actor", "refusal"),
        [(UNSIGNED, SignatureRequired), (Actor("program"), PersonRequired)],
    )
    def test_is_neither_added_nor_changed_without_a_signature(
        self, restricted: Reason, actor: Actor, refusal: type[Exception]
    ) -> None:
        """The services write nothing."""
        before = Reason.objects.count()
        words = wording_of(restricted)._replace(needs_regulator=False)
        with pytest.raises(refusal):
            change_reason(code=CODE, wording=words, seen=2, at=LATER, actor=actor)
        with pytest.raises(refusal):
            add_reason(code="new", purpose="refund", wording=words, at=LATER, actor=actor)

        assert Reason.objects.count() == before


def case_of(reason: Reason, *, is_recorded: bool = True, **columns: Any) -> Case:
    """A case by SQL that two persons then decide on its page."""
    with as_web():
        stated = {"reason_it": reason.text_it, "reason_en": reason.text_en}
        case = Case.objects.create(
            **{"needs_regulator": reason.needs_regulator, **stated, **columns},
            kind="goodwill",
            reason=reason,
            text="Sorry.",
            opened_at=NOW - timedelta(days=9),
            actor="Anna Riva",
            actor_user_id=5,
        )
        opening = step(case, 1, Actor("Anna Riva", 5), action="opened", at=case.opened_at)
        if is_recorded:
            record_entry(opening.entry, at=opening.at, actor=Actor("Anna Riva", 5))
    approve(credit_proposed("p-1", 100, case=case))
    return case


class TestACase:
    def test_is_not_opened_for_an_unsigned_reason(self) -> None:
        """Nor for a version that was replaced."""
        with as_web():
            unsigned = forged(code="new", version=1, replaces=None)
        for reason in (unsigned, Reason.objects.get(code=CODE, version=1)):
            assert reason not in reasons_in_use("goodwill")
            with pytest.raises(ReasonNotInUse):
                open_case(
                    kind=Case.Kind.GOODWILL,
                    reason=reason,
                    text="Sorry.",
                    round_ids=[],
                    at=NOW,
                    actor=GIULIA,
                )

    def test_that_hides_the_regulator_is_not_paid(self) -> None:
        """Two persons sign a case of which a row says that the regulator need not decide."""
        case = case_of(restrict(), needs_regulator=False)

        assert nothing_moves(case).endswith("found another reason than service-failure states")

    def test_of_an_unsigned_reason_is_not_paid(self) -> None:
        """The row of the reason agrees with that of the case."""
        with as_web():
            unsigned = forged()
        case = case_of(unsigned)

        error = "found a version of service-failure that nobody signed"
        assert nothing_moves(case).endswith(error)

    def test_of_a_reason_that_was_changed_before_is_not_paid(self) -> None:
        """With any date of the case: the log says when it opened."""
        append_to_log(KEY, now=NOW)
        case = case_of(Reason.objects.get(code=CODE, version=1))

        error = "found service-failure as it was before a change"
        assert nothing_moves(case).endswith(error)

    def test_of_a_changed_reason_without_a_record_of_its_opening_is_not_paid(self) -> None:
        """The log cannot say when it opened."""
        append_to_log(KEY, now=NOW)
        case = case_of(Reason.objects.get(code=CODE, version=1), is_recorded=False)

        error = "found service-failure as it was before a change"
        assert nothing_moves(case).endswith(error)

    def test_of_a_reason_that_changes_later_is_paid(self) -> None:
        """It keeps the reason as it was when the case opened."""
        [settled] = reasons_in_use("goodwill").filter(code="complaint-settled")
        case = opened("goodwill", reason=settled.code)
        append_to_log(KEY, now=NOW)
        words = wording_of(settled)._replace(needs_regulator=True)
        change_reason(code=settled.code, wording=words, seen=1, at=LATER, actor=LORENZO)
        append_to_log(KEY, now=NOW)

        approve(credit_proposed("p-1", 100, case=case))
        execute(case)

        assert GoodwillCredit.objects.get(case=case).cents == 100
        assert faults() == []


STATED: Final = "(reason.purpose, reason.text_it, reason.text_en, reason.needs_regulator)"
OF_CASES: Final = (
    Guard(
        verify_case._require_stated_reason,
        f"stated != {STATED}",
        TestACase().test_that_hides_the_regulator_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        verify_case._require_stated_reason,
        "not is_in_order(reason, verifier)",
        TestACase().test_of_an_unsigned_reason_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        verify_case._require_stated_reason,
        "opening is None",
        TestACase().test_of_a_changed_reason_without_a_record_of_its_opening_is_not_paid,
        noticed_by=CaseHalt.DoesNotExist,  # an error that nobody expects leaves it unnamed
    ),
    Guard(
        verify_case._require_stated_reason,
        "is_logged_after(opening, change)",
        TestACase().test_of_a_reason_that_was_changed_before_is_not_paid,
        noticed_by=Moved,
    ),
)
IN_FORCE: Final = (
    Guard(
        reasons_in_force.is_in_order,
        "verifier.verify_row(reason)",
        TestAReason().test_of_an_unsigned_row_is_not_in_force,
        passing="True",
    ),
    Guard(
        reasons_in_force.is_in_order,
        "reason.actor_user_id is None or verifier.verify_row(reason)",
        TestAReason().test_dated_as_a_decision_from_before_signatures_is_not_in_force,
        passing="reason.actor_user_id is None or verifier.verify_row(reason) or True",
    ),
    Guard(
        manage_reasons._add_version,
        "record_decision(reason.entry, at=at, actor=actor)",
        partial(
            TestAReason().test_is_neither_added_nor_changed_without_a_signature,
            actor=UNSIGNED,
            refusal=SignatureRequired,
        ),
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", OF_CASES + IN_FORCE, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The case is paid, or the forged version is in force."""
    guard.is_needed(request)
    KNOWN.forget()
