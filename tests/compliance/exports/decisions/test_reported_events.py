"""Standard reports, closings and disputes: what persons decided is signed in their bundles, too."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope
from compliance.signatures.manage_keys import revoke_key
from compliance.signatures.models import EarlierDecision
from compliance.signatures.signature_verifier import signed_actions
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from payouts.cases import run_cases
from payouts.cases.models import Case
from payouts.cases.remedies import Remedy
from tests.attacks.forgeries import approval_columns, begin_execution, step
from tests.attacks.guards import weakened
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.exports import exported_days
from tests.compliance.exports.day_closings import HOUR, log
from tests.compliance.exports.decisions.signed_day import (
    SIGNATURES,
    SignedBundle,
    SignedDay,
    wrong,
)
from tests.compliance.exports.exported_days import contents, exported
from tests.compliance.exports.report_rows import extract
from tests.documents import lines
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.payouts.disputes.dispute_scenarios import credit, disputed, play, take, uphold
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import LORENZO, stored


def actions(day: SignedBundle) -> list[str]:
    """The actions of the signed decisions."""
    return sorted(json.loads(line["record"])[3] for line in day.lines(SIGNATURES))


class TestStandardReports:
    @pytest.fixture
    def reports(self, signed_casino: SignedDay) -> SignedDay:
        """The reports of the day."""
        of = Scope(exported_days.DAY, exported_days.DAY, contents=COMPLIANCE_REPORTS)
        return replace(
            signed_casino, files=contents(extract(signed_casino.folder, signed_casino.key, of).path)
        )

    @pytest.mark.slow
    def test_carry_what_was_decided_on_their_days(self, reports: SignedDay) -> None:
        """Events and alterations."""
        assert actions(reports) == ["CASE_APPROVED", "CASE_PROPOSED"]
        assert reports.verified({}).status == 0

    @pytest.mark.slow
    def test_name_an_event_that_nobody_signed(self, reports: SignedDay) -> None:
        """The approval was taken out."""
        changes = reports.with_lines(
            SIGNATURES, lambda line: None if "CASE_APPROVED" in line["record"] else line
        )

        assert wrong(reports, changes).endswith(
            f"CASE_APPROVED of case:{reports.case} by Lorenzo Ferri: its person did not sign it"
        )

    def test_need_every_signature_that_the_verifier_knows_of(self) -> None:
        """The script has its own list, for an operator who leaves actions out of the manifest."""
        assert signed_actions().keys() >= verify_bundle.SIGNED_ACTIONS

    @pytest.mark.slow
    def test_accept_no_shorter_list_of_signed_actions(self, reports: SignedDay) -> None:
        """The manifest says that nothing needs a signature."""
        run = reports.verified({SIGNATURES: b""}, signed_actions=[])

        assert (run.status, "its person did not sign it" in run.last_line) == (1, True)


class TestADispute:
    @pytest.mark.slow
    def test_is_signed_together_with_the_case_that_it_opened(
        self, fresh_casino: str, key: SigningKey, tmp_path: Path
    ) -> None:
        """One signature of both texts."""
        play()
        dispute = disputed()
        take(dispute)
        uphold(dispute, credit(500))
        case = Case.objects.get()
        approve(case)
        execute(case)
        of = Scope(exported_days.DAY, exported_days.DAY, contents=COMPLIANCE_REPORTS)
        files = contents(extract(tmp_path, key, of).path)
        day = SignedBundle(files, key, tmp_path)

        assert actions(day) == ["CASE_APPROVED", "CASE_PROPOSED", "DISPUTE_UPHELD"]
        run = day.verified({})
        assert (run.status, "Decisions signed with their persons' keys: 3 " in run.output) == (
            0,
            True,
        ), run.output


class TestAClosing:
    @pytest.fixture
    def closed(self, fresh_casino: str, key: SigningKey, tmp_path: Path) -> SignedBundle:
        """A day that Lorenzo closed on the page."""
        open_table()
        arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR))
        settle_at()
        close()
        log()
        files = contents(exported(tmp_path / "out", key, day=DAY).path)
        return SignedBundle(files, key, tmp_path)

    @pytest.mark.slow
    def test_is_signed(self, closed: SignedBundle) -> None:
        """By the person whom the proof names."""
        run = closed.verified({})

        assert actions(closed) == ["DAY_CLOSED_BY_SIGNATURE"]
        assert (run.status, "Decisions signed with their persons' keys: 1 " in run.output) == (
            0,
            True,
        ), run.output

    def test_is_missed_without_its_signature(self, closed: SignedBundle) -> None:
        """The log contains its record only."""
        error = wrong(closed, {SIGNATURES: b""})

        assert f"DAY_CLOSED_BY_SIGNATURE of day:{DAY} by Lorenzo Ferri" in error

    def test_has_the_same_bundle_after_a_key_was_revoked(
        self, closed: SignedBundle, key: SigningKey
    ) -> None:
        """Later decisions about keys change no bundle of a closed day."""
        [line] = closed.lines(SIGNATURES)
        revoke_key(key_id=line["key"], note="Lost.", at=AFTER + 2 * HOUR, actor=COMPLIANCE)

        assert not exported(closed.folder / "out", key, day=DAY).is_new


class TestADecisionFromBeforeSignatures:
    @pytest.mark.slow
    def test_is_marked(self, fresh_casino: str, key: SigningKey, tmp_path: Path) -> None:
        """As a migration lists it."""
        open_table()
        ingest(lines(exported_days.dealt("r-1", 10)))
        settle()
        case = opened("malfunction", "r-1")
        approval = step(case, 3, LORENZO, **approval_columns(propose(case, Remedy.VOID)))
        record = record_entry(approval.entry, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))
        EarlierDecision.objects.create(record_id=record)
        begin_execution(case, round=stored("r-1"), after=1)
        with weakened(run_cases._execute, "not decision.is_signed", "False"):  # as it was then
            assert execute(case) == [("done", 2)]

        files = contents(exported(tmp_path / "out", key).path)

        day = SignedBundle(files, key, tmp_path)
        assert "from_before_signatures" in day.line_of("CASE_APPROVED")
        run = day.verified({})
        assert (
            run.status,
            "from before signatures, by the operator's own word: 1." in run.output,
        ) == (0, True)
