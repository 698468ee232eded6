"""Customers read evidence of staff only if it is shared with them (issue 17)."""

import hashlib
import io
import json
import zipfile
from typing import Final

import pytest
from django.db import connection
from django.utils import timezone

from compliance.exports.dossier.contents import contents_of
from compliance.exports.dossier.files import dossier_zip
from compliance.exports.dossier.models import Dossier
from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute, EvidenceShare
from payouts.disputes.open_dispute import add_dispute_evidence, share_evidence
from payouts.evidence import File
from tests.casino.api.api_client import json_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, PDF, hand_in, own, service
from tests.payouts.disputes.dispute_scenarios import ANNA, disputed, play

pytestmark = pytest.mark.django_db

SECRET: Final = b"%PDF-1.7 what staff wrote about the customer"
DIGEST: Final = hashlib.sha256(SECRET).hexdigest()


@pytest.fixture
def dispute() -> Dispute:
    """A dispute with a file attached by Anna, of staff."""
    play()
    dispute = disputed()
    file = File("internal.pdf", SECRET)
    add_dispute_evidence(dispute=dispute, file=file, at=timezone.now(), actor=ANNA)
    return dispute


def share(dispute: Dispute) -> None:
    """Anna shares her file."""
    share_evidence(evidence=dispute.evidence.get(), at=timezone.now(), actor=ANNA)


def files_in(dispute: Dispute, audience: Dossier.Audience) -> tuple[list[str], str]:
    """The evidence in a dossier's ZIP, and the text of its JSON."""
    contents = contents_of(dispute, audience, at=timezone.now())
    text = json.dumps(contents)
    old_dossier = Dossier(dispute=dispute, audience=audience, content=text, digest=bytes(32))
    with zipfile.ZipFile(io.BytesIO(dossier_zip(old_dossier, signature=b""))) as archive:
        names = [name for name in archive.namelist() if name.startswith("evidence/")]
    return names, text


class TestAFileOfStaff:
    def test_is_not_there_for_the_customer(self, dispute: Dispute) -> None:
        """Not listed, not counted, not found by its digest."""
        customer = own("p-1")
        address = f"{DISPUTES}/{dispute}"

        assert json_of(customer.get(f"{address}/evidence"))["data"] == []
        assert json_of(customer.get(address))["evidence_count"] == 0
        answer = customer.get(f"{address}/evidence/{DIGEST}", Accept="application/pdf")
        assert answer.status_code == 404
        assert SECRET not in answer.content

    def test_is_listed_for_staff_programs(self, dispute: Dispute) -> None:
        """With whether it is shared."""
        address = f"{DISPUTES}/{dispute}"

        [listed] = json_of(service().get(f"{address}/evidence"))["data"]
        assert (listed["sha256"], listed["shared"]) == (DIGEST, False)
        answer = service().get(f"{address}/evidence/{DIGEST}", Accept="application/pdf")
        assert answer.content == SECRET

    def test_is_in_no_dossier_of_the_customer(self, dispute: Dispute) -> None:
        """Neither file, name nor record; the regulator's dossier has all."""
        names, text = files_in(dispute, Dossier.Audience.CUSTOMER)
        regulators, regulators_text = files_in(dispute, Dossier.Audience.REGULATOR)

        assert names == []
        assert "internal.pdf" not in text
        assert DIGEST not in text
        assert regulators == ["evidence/01-internal.pdf"]
        assert DIGEST in regulators_text

    def test_is_not_in_a_dossier_that_named_it_before(self, dispute: Dispute) -> None:
        """Downloads of dossiers from earlier releases omit it."""
        contents = contents_of(dispute, Dossier.Audience.REGULATOR, at=timezone.now())
        before = Dossier(
            dispute=dispute,
            audience=Dossier.Audience.CUSTOMER,
            content=json.dumps(contents),
            digest=bytes(32),
        )

        with zipfile.ZipFile(io.BytesIO(dossier_zip(before, signature=b""))) as archive:
            assert not [name for name in archive.namelist() if name.startswith("evidence/")]

    def test_is_visible_once_it_is_shared(self, dispute: Dispute) -> None:
        """Sharing is recorded and cannot be undone."""
        share(dispute)
        share(dispute)

        address = f"{DISPUTES}/{dispute}/evidence/{DIGEST}"
        assert own("p-1").get(address, Accept="application/pdf").content == SECRET
        assert files_in(dispute, Dossier.Audience.CUSTOMER)[0] == ["evidence/01-internal.pdf"]
        [record] = AuditRecord.objects.filter(action="DISPUTE_EVIDENCE_SHARED")
        assert (record.actor, record.details["sha256"]) == (ANNA.name, DIGEST)


class TestAFileOfTheCustomer:
    def test_is_shared_at_once(self, dispute: Dispute) -> None:
        """A customer's upload is shared, even if staff attached the same content."""
        customer = own("p-1")
        hand_in(customer, str(dispute), SECRET, name="mine.pdf")

        [listed] = json_of(customer.get(f"{DISPUTES}/{dispute}/evidence"))["data"]
        assert listed["name"] == "mine.pdf"

    def test_is_shared_when_a_program_uploads_it(self, dispute: Dispute) -> None:
        """Customer service uploads files of the customer."""
        hand_in(service(), str(dispute), PDF)

        [listed] = json_of(own("p-1").get(f"{DISPUTES}/{dispute}/evidence"))["data"]
        assert listed["name"] == "statement.pdf"


def test_the_migration_shares_only_files_of_programs(dispute: Dispute) -> None:
    """Files of staff stay unshared."""
    from importlib import import_module  # noqa: PLC0415  no name of a module begins with a digit

    hand_in(service(), str(dispute), PDF)
    migration = import_module("payouts.migrations.0027_evidence_shares")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # as if it were not there
        cursor.execute("DELETE FROM payouts_evidenceshare")
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
        cursor.execute(migration._SHARE_WHAT_PROGRAMS_HANDED_IN)

    assert [share.evidence.name for share in EvidenceShare.objects.all()] == ["statement.pdf"]
