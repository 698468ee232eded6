"""Dossiers and proofs carry signatures, in words and for the verifier."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.files import dossier_zip, pdf_of
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.signatures.models import SigningKey as PersonKey
from compliance.signatures.signed_proof import prove_decision
from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute
from tests.casino_in_play import NOW
from tests.compliance.exports.day_closings import log
from tests.compliance.exports.decisions.signed_day import KEYS, SIGNATURES, Line
from tests.compliance.exports.exported_days import CLERK
from tests.compliance.exports.test_dossiers import EVERYBODY, two_players
from tests.compliance.exports.verifier_runs import VerifierRun, run_verifier
from tests.payouts.cases.case_scenarios import approve
from tests.payouts.disputes.dispute_scenarios import credit, disputed, play, reject, take, uphold

pytestmark = pytest.mark.django_db


@pytest.fixture
def dispute() -> Dispute:
    """A rejected dispute."""
    play(two_players())
    dispute = disputed(bet_number=0)
    take(dispute)
    reject(dispute)
    log()
    return dispute


@pytest.fixture
def upheld() -> Dispute:
    """A dispute with a credit, and the same for another customer: signed together."""
    play(two_players())
    dispute = disputed(bet_number=0)
    take(dispute)
    uphold(dispute, credit(500, "p-2"))
    approve(dispute.remedies.get(is_own=True).case)
    log()
    return dispute


class DossierFile:
    """A dossier that the operator signs, changed or not."""

    def __init__(self, folder: Path, key: SigningKey) -> None:
        self.folder, self.key = folder, key

    def verified(
        self,
        dispute: Dispute,
        audience: str,
        *arguments: str,
        change: Callable[[dict[str, Any]], object] = lambda _payload: None,
    ) -> VerifierRun:
        """The verifier's result."""
        dossier, _is_new = issue_dossier(dispute, Dossier.Audience(audience), at=NOW, actor=CLERK)
        payload = dossier.payload
        change(payload)
        dossier.content = json.dumps(payload)
        content = dossier_zip(dossier, signature=self.key.sign(dossier.content.encode()))
        path = self.folder / "dossier.zip"
        path.write_bytes(content)
        return run_verifier(path, *(arguments or ("--key-id", self.key.key_id)))


@pytest.fixture
def file(tmp_path: Path, key: SigningKey) -> DossierFile:
    """Writes and verifies dossiers."""
    return DossierFile(tmp_path, key)


class TestADossier:
    @pytest.mark.parametrize("audience", EVERYBODY)
    def test_verifies_alone(self, dispute: Dispute, file: DossierFile, audience: str) -> None:
        """By the same tool as a bundle."""
        run = file.verified(dispute, audience)

        assert run.status == 0, run.output
        assert "Decisions signed with their persons' keys: 1 (Paolo Riva)." in run.output
        assert f"RIGHT: dossier of dispute {dispute}." in run.output

    @pytest.mark.slow
    def test_is_not_proved_without_the_certificate(
        self, dispute: Dispute, file: DossierFile
    ) -> None:
        """Anybody could have signed it."""
        run = file.verified(dispute, "regulator", "--log-key", "00")
        assert (run.status, "is signed by the key" in run.last_line) == (1, True)

        run = file.verified(dispute, "regulator", "--key-id", "0" * 64)
        assert run.last_line == "WRONG: the dossier is not signed by one of the keys given"

    def test_says_in_words_who_decided(self, dispute: Dispute) -> None:
        """In both languages, with the key."""
        dossier, _is_new = issue_dossier(dispute, Dossier.Audience.CUSTOMER, at=NOW, actor=CLERK)
        key_id = PersonKey.objects.get(person_name="Paolo Riva").short_id

        for language, words in (
            ("en", f"Dispute rejected {dispute}: Paolo Riva,"),
            ("it", f"Contestazione respinta {dispute}: Paolo Riva,"),
        ):
            pages = PdfReader(io.BytesIO(pdf_of(dossier, language))).pages
            text = " ".join(" ".join(page.extract_text() for page in pages).split())
            assert words in text, text
            assert key_id in text

    def test_has_the_same_two_files_as_a_bundle(self, dispute: Dispute) -> None:
        """As the signed file has them."""
        dossier, _is_new = issue_dossier(dispute, Dossier.Audience.REGULATOR, at=NOW, actor=CLERK)
        archive = zipfile.ZipFile(io.BytesIO(dossier_zip(dossier, signature=b"")))

        for name, part in ((SIGNATURES, "signatures"), (KEYS, "signing_keys")):
            lines = [json.loads(line) for line in archive.read(name).splitlines()]
            assert lines == dossier.payload[part] != []


class TestADecisionThatWasSignedWithOthers:
    def test_is_withheld_from_the_customer(self, upheld: Dispute, file: DossierFile) -> None:
        """Its text names p-2. The signature is verified nevertheless."""
        dossier, _is_new = issue_dossier(upheld, Dossier.Audience.CUSTOMER, at=NOW, actor=CLERK)
        [line] = dossier.payload["signatures"]

        run = file.verified(upheld, "customer")

        assert "signed_text" not in line
        assert "p-2" not in dossier.content
        assert (run.status, "withheld here" in run.output) == (0, True), run.output

    @pytest.mark.slow
    def test_is_shown_to_the_regulator(self, upheld: Dispute, file: DossierFile) -> None:
        """With the decisions of the own case."""
        run = file.verified(upheld, "regulator")

        assert (run.status, "Decisions signed with their persons' keys: 3 " in run.output) == (
            0,
            True,
        ), run.output
        assert "withheld" not in run.output


class TestAForgedDossier:
    def wrong(
        self, dispute: Dispute, file: DossierFile, change: Callable[[dict[str, Any]], object]
    ) -> str:
        """The error for a dossier that its operator changed and signed again."""
        run = file.verified(dispute, "regulator", change=change)
        assert (run.status, run.last_line[:7]) == (1, "WRONG: "), run.output
        return run.last_line

    def test_needs_the_decision(self, dispute: Dispute, file: DossierFile) -> None:
        """The signature was taken out."""
        error = self.wrong(dispute, file, lambda dossier: dossier["signatures"].clear())

        assert "DISPUTE_REJECTED by Paolo Riva: its person did not sign this text" in error

    @pytest.mark.slow
    def test_has_the_reasons_that_were_signed(self, dispute: Dispute, file: DossierFile) -> None:
        """Other words."""
        error = self.wrong(
            dispute, file, lambda dossier: dossier["steps"][-1].update(note="No reasons.")
        )

        assert "did not sign this text" in error

    @pytest.mark.slow
    def test_does_not_withhold_who_approved_a_key_from_those_who_know(
        self, dispute: Dispute, file: DossierFile, tmp_path: Path
    ) -> None:
        """A customer's dossier has no approvals: with --keys the key itself must be listed."""
        known = tmp_path / "persons.txt"
        known.write_text("0" * 64)
        arguments = "--keys", str(known), "--key-id", file.key.key_id

        refused = file.verified(dispute, "customer", *arguments)
        known.write_text(PersonKey.objects.get(person_name="Paolo Riva").pk)
        accepted = file.verified(dispute, "customer", *arguments)

        assert refused.last_line.endswith("has no approval here and is not in --keys")
        assert accepted.status == 0, accepted.output


class TestAProof:
    def proof(self, dispute: Dispute) -> Line:
        """The proof of the rejection."""
        record = AuditRecord.objects.get(action="DISPUTE_REJECTED", subject=f"dispute:{dispute}")
        return prove_decision(record.pk)

    def verified(self, folder: Path, proof: Line, *arguments: str) -> VerifierRun:
        """The verifier's result for a proof."""
        path = folder / "proof.json"
        path.write_text(json.dumps(proof))
        return run_verifier(path, *arguments)

    def test_of_a_decision_has_its_signature(self, dispute: Dispute, tmp_path: Path) -> None:
        """The log's key comes from outside."""
        proof = self.proof(dispute)

        run = self.verified(tmp_path, proof, "--log-key", proof["head"]["key_id"])

        assert (run.status, "Decisions signed with their persons' keys: 1 " in run.output) == (
            0,
            True,
        ), run.output
        assert self.verified(tmp_path, proof).status == 1

    def test_of_a_decision_is_wrong_with_that_of_another(
        self, dispute: Dispute, tmp_path: Path
    ) -> None:
        """Or without one."""
        proof = self.proof(dispute)
        other = proof["decision"] | {"record": proof["record"].replace("Paolo", "Elena")}

        runs = [
            self.verified(tmp_path, proof | {"decision": other}),
            self.verified(tmp_path, proof | {"decision": {"record": proof["record"]}}),
            self.verified(
                tmp_path, {name: part for name, part in proof.items() if name != "decision"}
            ),
        ]

        assert [run.status for run in runs] == [1, 1, 1]
        assert "contains the signature of another decision" in runs[0].last_line
        assert all("its person did not sign it" in run.last_line for run in runs[1:])

    def test_of_an_earlier_format_says_so(self, dispute: Dispute, tmp_path: Path) -> None:
        """Until the day since which decisions are signed."""
        old = self.proof(dispute) | {"proof": "sabot inclusion/1"}
        del old["decision"], old["signing_keys"]
        key = "--log-key", old["head"]["key_id"]

        assert "carries no signature of this decision" in self.verified(tmp_path, old, *key).output
        assert self.verified(tmp_path, old, *key, "--signed-since", "2026-11-01").status == 1

    def test_of_a_receipt_is_verified_by_the_same_tool(
        self, dispute: Dispute, tmp_path: Path
    ) -> None:
        """All records of a round."""
        records = AuditRecord.objects.filter(subject="round:r-1").order_by("id")
        proofs = [prove_decision(record.pk) for record in records]
        receipt = {"receipt": "sabot receipt/1", "round": "r-1", "records": proofs}

        run = self.verified(tmp_path, receipt, "--log-key", proofs[0]["head"]["key_id"])

        assert run.status == 0, run.output
        changed = json.loads(json.dumps(receipt).replace("ROUND_SETTLED", "ROUND_VOIDED"))
        assert "is not in the signed tree" in self.verified(tmp_path, changed).last_line
