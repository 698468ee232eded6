"""Dossiers of disputes: contents by reader, signatures, files."""

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override
from pypdf import PdfReader
from reportlab.graphics.shapes import Group

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.files import dossier_zip, pdf_of
from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.exports.dossier.table_drawing import table_picture
from compliance.exports.services.issue_certificate import issue_certificate
from compliance.exports.services.issue_dossier import issue_dossier, sign_dossiers
from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute
from payouts.evidence import File
from rounds.rules.catalogue import RULE_SETS
from tests.casino_in_play import NOW
from tests.compliance.exports.day_closings import log
from tests.compliance.exports.exported_days import CLERK, verified
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.disputes.dispute_scenarios import (
    REASONS,
    TEXT,
    disputed,
    escalate,
    play,
    reject,
    reopen,
    take,
)

LATER = timedelta(hours=1)
PHOTO = File("screen of /tmp/x.png", b"\x89PNG\r\n\x1a\n and what was seen")
EVERYBODY = [audience.value for audience in Dossier.Audience]

pytestmark = pytest.mark.django_db


def two_players() -> dict[str, Any]:
    """A round in which two customers bet on Player, which wins."""
    bets = [
        baccarat_bet("b1", "player", "10.00"),
        baccarat_bet("b2", "player", "10.00", player="p-2", participation="N2"),
    ]
    return baccarat_round("r-1", bets=bets)


@pytest.fixture
def dispute() -> Dispute:
    """p-1 disputes a bet, with a photograph; p-2 has a similar one."""
    play(two_players())
    dispute = disputed(bet_number=0, files=[PHOTO], is_shared=True, claimed_cents=5000)
    take(dispute)
    reject(dispute)
    log()
    return dispute


def issued(dispute: Dispute, audience: str = "customer", *, after: timedelta = LATER) -> Dossier:
    """The dossier for this reader."""
    dossier, _is_new = issue_dossier(
        dispute, Dossier.Audience(audience), at=NOW + after, actor=CLERK
    )
    return dossier


class TestADossier:
    def test_has_complaint_finding_and_decision(self, dispute: Dispute) -> None:
        """With the reasons of the decision."""
        payload = issued(dispute).payload

        assert payload["dispute"]["text"] == TEXT
        assert payload["dispute"]["claimed_cents"] == 5000
        assert payload["state"] == "rejected"
        assert [step["action"] for step in payload["steps"]] == ["opened", "taken", "rejected"]
        assert payload["steps"][-1]["note"] == REASONS
        [bet] = payload["finding"]["bets"]
        assert bet["settled"]["payout_cents"] == bet["rules_give"]["payout_cents"] == 2000
        assert payload["evidence"][0]["bytes"] == len(PHOTO.content)

    def test_has_the_applied_rules(self, dispute: Dispute) -> None:
        """Those of the payout and of the replay, once each; baccarat has no boxes."""
        rules = issued(dispute).payload["rules"]

        assert (rules["name"], rules["boxes"]) == ("baccarat/1", 0)
        [rule] = rules["applied"]
        assert (rule["rule"], rule["sheet"], rule["heading"]) == (
            "player",
            "BAC",
            "Regole del baccarat",
        )
        assert rule["title"]["it"] != rule["title"]["en"]
        assert all(rule["summary"].values())

    def test_proves_every_record_of_its_round_and_its_own(self, dispute: Dispute) -> None:
        """Each with its place in the signed log."""
        payload = issued(dispute).payload

        actions = {json.loads(proof["record"])[3] for proof in payload["proofs"]}
        assert {"ROUND_SETTLED", "DISPUTE_OPENED"} <= actions
        assert all("leaf_index" in proof for proof in payload["proofs"])

    def test_says_which_records_wait_for_the_log(self, dispute: Dispute) -> None:
        """Recent records have no proof yet."""
        other = disputed(pseudonym="p-2")

        waiting = [
            proof for proof in issued(other).payload["proofs"] if "waits_for_the_log" in proof
        ]

        assert {proof["action"] for proof in waiting} >= {"DISPUTE_OPENED"}

    def test_has_the_likelihood_of_the_outcome(self, dispute: Dispute, key: SigningKey) -> None:
        """With a certificate: 45 of 100 bets on Player win."""
        assert issued(dispute).payload["likelihood"] == []
        issue_certificate(RULE_SETS["baccarat/1"], key=key, at=NOW, actor=CLERK)

        [likely] = issued(dispute).payload["likelihood"]

        assert likely["text"]["en"][0] == "Frequency of a win for bets of this kind: 45 of 100."
        assert likely["text"]["it"][0].endswith("45 su 100.")

    @pytest.mark.slow
    def test_is_issued_once_while_it_says_the_same(self, dispute: Dispute) -> None:
        """A new time is no reason."""
        first = issued(dispute)

        assert issued(dispute, after=2 * LATER) == first
        assert issued(dispute, "regulator") != first
        record = AuditRecord.objects.get(action="DOSSIER_ISSUED", subject=f"dossier:{first.pk}")
        assert record.details["sha256"] == bytes(first.digest).hex()


class TestItsReader:
    @pytest.mark.parametrize("audience", ["customer", "outside_body"])
    def test_gets_only_the_number_of_other_customers(self, dispute: Dispute, audience: str) -> None:
        """Nothing names them, records included."""
        disputed(pseudonym="p-2")
        log()

        dossier = issued(dispute, audience)

        assert dossier.payload["finding"]["bets"][0]["siblings"] == {"count": 1}
        assert "p-2" not in dossier.content

    def test_gets_no_internal_notes_as_the_customer(self, dispute: Dispute) -> None:
        """Neither in steps nor in records."""
        step = reopen(dispute)
        log()

        own, of_body = issued(dispute), issued(dispute, "outside_body")

        assert step.note
        assert step.note not in own.content
        assert step.note in of_body.content
        assert [step["action"] for step in own.payload["steps"]][-1] == "reopened"

    def test_gets_pseudonyms_as_the_regulator(self, dispute: Dispute) -> None:
        """Those of other customers with similar bets."""
        payload = issued(dispute, "regulator").payload

        [sibling] = payload["finding"]["bets"][0]["siblings"]["bets"]
        assert sibling["customer"] == "p-2"


class TestItsSignature:
    def test_is_made_once(self, dispute: Dispute, key: SigningKey, tmp_path: Path) -> None:
        """OpenSSL verifies it."""
        dossier = issued(dispute)

        signed = [sign_dossiers(key=key, now=lambda: NOW + LATER) for _ in range(2)]

        assert signed == [1, 0]
        signature = bytes(DossierSignature.objects.get().signature)
        verified(tmp_path, dossier.content.encode(), signature)
        assert AuditRecord.objects.filter(action="DOSSIER_SIGNED").count() == 1


class TestItsFiles:
    @pytest.mark.parametrize("language", ["it", "en"])
    @pytest.mark.parametrize("audience", EVERYBODY)
    def test_are_reproducible(self, dispute: Dispute, audience: str, language: str) -> None:
        """From the signed content alone."""
        dossier = issued(dispute, audience)

        pdf = pdf_of(dossier, language)

        assert pdf.startswith(b"%PDF-")
        assert pdf == pdf_of(dossier, language)

    def test_describe_the_dispute_in_words(self, dispute: Dispute) -> None:
        """In the text of the PDF; with the reference of a body that reviews it."""
        escalate(dispute)
        pages = PdfReader(io.BytesIO(pdf_of(issued(dispute), "en"))).pages

        words = " ".join(" ".join(page.extract_text() for page in pages).split())

        assert f"Dossier of dispute {dispute}" in words
        assert TEXT in words
        assert REASONS in words
        assert " · ADR 12/2026, " in words
        assert "None" not in words

    def test_show_the_cards_of_every_hand(self) -> None:
        """Each with its total: nine of Player against seven of Banker."""
        cards = [("P", "4S"), ("B", "7H"), ("P", "5D"), ("B", "TC")]

        with override("en"):
            picture = table_picture(cards, boxes=0, marked=(), width=480)

        hands = [part for part in picture.contents if isinstance(part, Group)]
        words = [[part.text for part in hand.contents if hasattr(part, "text")] for hand in hands]
        assert words == [
            ["Player", "4", "\N{BLACK SPADE SUIT}", "5", "\N{BLACK DIAMOND SUIT}", "9"],
            ["Banker", "7", "\N{BLACK HEART SUIT}", "10", "\N{BLACK CLUB SUIT}", "7"],
        ]

    def test_come_in_one_zip_with_the_evidence(self, dispute: Dispute) -> None:
        """Reproducible; names cannot leave the folder."""
        dossier = issued(dispute)

        content = dossier_zip(dossier, signature=b"signed")

        assert content == dossier_zip(dossier, signature=b"signed")
        archive = zipfile.ZipFile(io.BytesIO(content))
        assert sorted(archive.namelist()) == [
            "README.txt",
            "dossier.en.pdf",
            "dossier.it.pdf",
            "dossier.json",
            "dossier.json.p7s",
            "evidence/01-screen_of__tmp_x.png",
            "signatures.jsonl",
            "signing_keys.jsonl",
            "verify_bundle.py",
        ]
        assert archive.read("dossier.json").decode() == dossier.content
        assert archive.read("evidence/01-screen_of__tmp_x.png") == PHOTO.content
