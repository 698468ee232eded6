"""A customer reads evidence of staff only if it is shared with him (issue 17).

Found by trying: with a customer's token every file of the dispute could be read.
"""

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
from tests.casino.api.calling import json_of
from tests.casino.api.disputes.complaining import DISPUTES, PDF, hand_in, own, service
from tests.payouts.disputes.dispute_scenarios import ANNA, disputed, play

pytestmark = pytest.mark.django_db

SECRET: Final = b"%PDF-1.7 what staff wrote about the customer"
DIGEST: Final = hashlib.sha256(SECRET).hexdigest()


@pytest.fixture
def dispute() -> Dispute:
    """With a file that Anna, who works here, attached."""
    play()
    dispute = disputed()
    file = File("internal.pdf", SECRET)
    add_dispute_evidence(dispute=dispute, file=file, at=timezone.now(), actor=ANNA)
    return dispute


def share(dispute: Dispute) -> None:
    """Anna shares what she attached."""
    share_evidence(evidence=dispute.evidence.get(), at=timezone.now(), actor=ANNA)


def files_in(dispute: Dispute, audience: Dossier.Audience) -> tuple[list[str], str]:
    """The files in a dossier's ZIP, and all of its JSON."""
    contents = contents_of(dispute, audience, at=timezone.now())
    text = json.dumps(contents)
    old_dossier = Dossier(dispute=dispute, audience=audience, content=text, digest=bytes(32))
    with zipfile.ZipFile(io.BytesIO(dossier_zip(old_dossier, signature=b""))) as archive:
        names = [name for name in archive.namelist() if name.startswith("evidence/")]
    return names, text


class TestAFileOfStaff:
    def test_is_not_there_for_the_customer(self, dispute: Dispute) -> None:
        """Not in the list, not counted, not by its digest."""
        customer = own("p-1")
        address = f"{DISPUTES}/{dispute}"

        assert json_of(customer.get(f"{address}/evidence"))["data"] == []
        assert json_of(customer.get(address))["evidence_count"] == 0
        answer = customer.get(f"{address}/evidence/{DIGEST}", Accept="application/pdf")
        assert answer.status_code == 404
        assert SECRET not in answer.content

    def test_is_there_for_the_house(self, dispute: Dispute) -> None:
        """With whether the customer sees it."""
        address = f"{DISPUTES}/{dispute}"

        [listed] = json_of(service().get(f"{address}/evidence"))["data"]
        assert (listed["sha256"], listed["shared"]) == (DIGEST, False)
        answer = service().get(f"{address}/evidence/{DIGEST}", Accept="application/pdf")
        assert answer.content == SECRET

    def test_is_in_no_dossier_of_the_customer(self, dispute: Dispute) -> None:
        """Neither the file, nor its name, nor the record of it; the regulator gets all."""
        names, text = files_in(dispute, Dossier.Audience.CUSTOMER)
        regulators, regulators_text = files_in(dispute, Dossier.Audience.REGULATOR)

        assert names == []
        assert "internal.pdf" not in text
        assert DIGEST not in text
        assert regulators == ["evidence/01-internal.pdf"]
        assert DIGEST in regulators_text

    def test_is_not_in_a_dossier_that_named_it_before(self, dispute: Dispute) -> None:
        """Of an earlier release: what is taken away now no longer holds it."""
        contents = contents_of(dispute, Dossier.Audience.REGULATOR, at=timezone.now())
        before = Dossier(
            dispute=dispute,
            audience=Dossier.Audience.CUSTOMER,
            content=json.dumps(contents),
            digest=bytes(32),
        )

        with zipfile.ZipFile(io.BytesIO(dossier_zip(before, signature=b""))) as archive:
            assert not [name for name in archive.namelist() if name.startswith("evidence/")]

    def test_is_the_customers_once_somebody_shares_it(self, dispute: Dispute) -> None:
        """On record, once, for good."""
        share(dispute)
        share(dispute)

        address = f"{DISPUTES}/{dispute}/evidence/{DIGEST}"
        assert own("p-1").get(address, Accept="application/pdf").content == SECRET
        assert files_in(dispute, Dossier.Audience.CUSTOMER)[0] == ["evidence/01-internal.pdf"]
        [record] = AuditRecord.objects.filter(action="DISPUTE_EVIDENCE_SHARED")
        assert (record.actor, record.details["sha256"]) == (ANNA.name, DIGEST)


class TestTheCustomersOwn:
    def test_is_shared_at_once(self, dispute: Dispute) -> None:
        """The same content as a file of staff is another file."""
        customer = own("p-1")
        hand_in(customer, str(dispute), SECRET, name="mine.pdf")

        [listed] = json_of(customer.get(f"{DISPUTES}/{dispute}/evidence"))["data"]
        assert listed["name"] == "mine.pdf"

    def test_through_a_program_is_too(self, dispute: Dispute) -> None:
        """Customer service hands in what the customer sent."""
        hand_in(service(), str(dispute), PDF)

        [listed] = json_of(own("p-1").get(f"{DISPUTES}/{dispute}/evidence"))["data"]
        assert listed["name"] == "statement.pdf"


def test_the_upgrade_shares_what_programs_handed_in_and_nothing_else(dispute: Dispute) -> None:
    """Existing files of staff become the house's own."""
    from importlib import import_module  # noqa: PLC0415  no name of a module begins with a digit

    hand_in(service(), str(dispute), PDF)
    migration = import_module("payouts.migrations.0027_evidence_shares")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # as if it were not there
        cursor.execute("DELETE FROM payouts_evidenceshare")
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
        cursor.execute(migration._SHARE_WHAT_PROGRAMS_HANDED_IN)

    assert [share.evidence.name for share in EvidenceShare.objects.all()] == ["statement.pdf"]
