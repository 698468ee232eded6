"""Uploaded rounds are held until another person than the uploader releases them."""

from typing import Final

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.decide_case import ApproverUploadedRound
from payouts.cases.models import Case, CaseStep, Reason
from payouts.cases.release_upload import NoRoundsToRelease, open_upload_release_case
from payouts.cases.remedies import Remedy
from payouts.cases.uploaded_rounds import held_rounds_of_upload
from payouts.reconciliation.reconcile import figures_of
from payouts.settlement.four_eyes import FourEyesRequired
from payouts.settlement.models import Settlement
from payouts.settlement.resettle_round import RoundHeldByRules
from payouts.stuck_work.retry_document import retry_document
from rounds.models import QuarantinedDocument, Validation
from rounds.models.upload import FeedUpload
from rounds.uploads.ingest_upload import ingest_uploads
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, execute, propose
from tests.payouts.reconciliation.five_games import reconciled
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, balance, resettle
from tests.rounds.uploads.uploaded_feeds import upload
from tests.signers import signing

ANNA: Final = signing("Anna Riva", 5)


def uploaded(*documents: object) -> FeedUpload:
    """Giulia uploads a file, the workers ingest and judge it."""
    stored = upload(b"\n".join(lines(*documents)))
    ingest_uploads(now=lambda: NOW, after_batch=lambda: None, is_over=lambda: False)
    settle()
    return stored


def release(stored: FeedUpload, actor: Actor) -> Case:
    """A case about the rounds of the upload."""
    stored.refresh_from_db()
    reason = Reason.objects.get(code="checked-on-video")
    return open_upload_release_case(
        upload_id=stored.pk, reason=reason, text="The line was down.", at=NOW, actor=actor
    )


class TestAnUploadedRound:
    def test_is_held_and_paid_once_two_persons_released_the_file(self, fresh_casino: str) -> None:
        """The uploader may propose, another approves: both rounds pay 25.00."""
        open_table()
        stored = uploaded(baccarat_round("r-1"), baccarat_round("r-2"))
        anomalies = set(map(tuple, Validation.objects.values_list("anomalies", flat=True)))
        assert (anomalies, Settlement.objects.count()) == ({("unsigned-source",)}, 0)

        case = release(stored, GIULIA)
        propose(case, Remedy.BY_RULES)
        approve(case)
        outcomes = execute(case, at=NOW)

        assert outcomes == [("done", 1), ("done", 1)]
        assert balance("customer", "p-1") == 5000
        assert not held_rounds_of_upload(stored).exists()
        signed = AuditRecord.objects.filter(action__in=["CASE_PROPOSED", "CASE_APPROVED"])
        assert dict(signed.values_list("action", "actor")) == {
            "CASE_PROPOSED": GIULIA.name,
            "CASE_APPROVED": LORENZO.name,
        }
        assert figures_of(reconciled())["differences"] == 0

    def test_that_its_rules_hold_as_well_stays_held(self, fresh_casino: str) -> None:
        """The case has the other round only."""
        open_table()
        stored = uploaded(baccarat_round("r-1"), held_baccarat_round("r-2"))

        case = release(stored, GIULIA)
        propose(case, Remedy.BY_RULES)
        approve(case)
        execute(case, at=NOW)

        left = held_rounds_of_upload(stored).get()
        assert left.reference == "r-2"
        held = Validation.objects.get(round_id=left.pk)
        assert held.anomalies == ["extra-card", "unsigned-source"]
        with pytest.raises(NoRoundsToRelease):
            release(stored, GIULIA)

    def test_is_in_one_case_at_a_time(self, fresh_casino: str) -> None:
        """A second case finds no rounds."""
        open_table()
        stored = uploaded(baccarat_round("r-1"))
        release(stored, GIULIA)

        with pytest.raises(NoRoundsToRelease):
            release(stored, LORENZO)

    def test_of_a_program_is_not_held(self, fresh_casino: str) -> None:
        """Rounds of `ingest` and of API keys have a known sender."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        assert Settlement.objects.count() == 1


class TestTheUploader:
    def test_does_not_approve_another_persons_proposal(self, fresh_casino: str) -> None:
        """Uploaders must not approve their own feed."""
        open_table()
        case = release(uploaded(baccarat_round("r-1")), LORENZO)
        propose(case, Remedy.BY_RULES, actor=LORENZO)

        with pytest.raises(ApproverUploadedRound):
            approve(case, actor=GIULIA)

        approve(case, actor=ANNA)
        assert execute(case, at=NOW) == [("done", 1)]

    def test_does_not_approve_the_own_proposal(self, fresh_casino: str) -> None:
        """As in every case."""
        open_table()
        case = release(uploaded(baccarat_round("r-1")), GIULIA)
        propose(case, Remedy.BY_RULES)

        with pytest.raises(FourEyesRequired):
            approve(case, actor=GIULIA)

    @pytest.mark.parametrize("remedy", [Remedy.BY_RULES, Remedy.REAL_RESULT, Remedy.VOID])
    def test_is_refused_by_the_database_as_well(self, fresh_casino: str, remedy: Remedy) -> None:
        """By account and by name."""
        open_table()
        case = release(uploaded(baccarat_round("r-1")), LORENZO)
        step = propose(case, remedy, actor=LORENZO)

        for name, user in ((GIULIA.name, 99), ("somebody", GIULIA.user_id or 0)):
            with pytest.raises(IntegrityError, match="uploaded a round"), transaction.atomic():
                CaseStep.objects.create(
                    case=case,
                    sequence=3,
                    action="approved",
                    note="Fine.",
                    remedy=remedy.value,
                    effect_digest=step.effect_digest,
                    at=NOW,
                    actor=name,
                    actor_user_id=user,
                )

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE payouts_feedupload SET actor = 'nobody', actor_user_id = 99",
            "UPDATE payouts_feedupload SET delivery = gen_random_uuid()",
            "UPDATE payouts_feedupload SET source = 'elsewhere'",
            "DELETE FROM payouts_feedupload",
        ],
    )
    def test_cannot_be_changed(self, fresh_casino: str, statement: str) -> None:
        """The uploader cannot be changed afterwards."""
        open_table()
        uploaded(baccarat_round("r-1"))

        with (
            pytest.raises(DatabaseError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)

    def test_of_a_repeated_upload_approves_neither(self, fresh_casino: str) -> None:
        """Both uploaded the same bytes."""
        open_table()
        uploaded(baccarat_round("r-1"))
        again = upload(b"\n".join(lines(baccarat_round("r-1"))), actor=LORENZO)
        case = release(again, ANNA)
        propose(case, Remedy.BY_RULES, actor=ANNA)

        for person in (GIULIA, LORENZO):
            with pytest.raises(ApproverUploadedRound):
                approve(case, actor=person)


class TestAHeldUpload:
    def test_is_paid_by_no_sweep_and_by_no_resettlement(self, fresh_casino: str) -> None:
        """Not even if the command line names two persons."""
        open_table()
        uploaded(baccarat_round("r-1"))
        settle()

        with pytest.raises(RoundHeldByRules, match="unsigned-source"):
            resettle(after=0)

        assert not Settlement.objects.exists()

    def test_is_paid_by_no_inserted_settlement(self, fresh_casino: str) -> None:
        """The database refuses the row without a case that releases the upload."""
        open_table()
        uploaded(baccarat_round("r-1", bets=[]))
        written = """
            INSERT INTO payouts_settlement (round_id, sequence, kind, rules, rules_digest,
                staked_cents, payout_cents, chips_cents, results_digest, settled_at, actor,
                approved_by, reason, booked_on)
            SELECT id, 1, 'settled', rules, rules_digest, 0, 0, 0, '', now(), 'a', %s, %s,
                   booked_on FROM rounds_round
        """

        for approver, reason in ((None, ""), ("b", "so")):
            with (
                pytest.raises(IntegrityError, match="no case releases it"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(written, [approver, reason])

    def test_has_retried_documents_held_too(self, fresh_casino: str) -> None:
        """The table was registered meanwhile; the document is still an upload."""
        stored = uploaded(baccarat_round("r-1"))
        stored.refresh_from_db()
        open_table()
        document = QuarantinedDocument.objects.get()

        retried = retry_document(document_id=document.pk, seen=0, at=NOW, actor=LORENZO)
        settle()

        assert retried
        assert Validation.objects.get().anomalies == ["unsigned-source"]
        assert held_rounds_of_upload(stored).count() == 1
