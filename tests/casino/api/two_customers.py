"""Two customers of one round, with a dispute each, and everything else the API returns."""

import hashlib
import json
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from django.utils import timezone

from casino.api.rounds.deliveries import begin_job
from casino.integrations.issue_key import issue_customer_token
from casino.integrations.models import ApiKey, DeadLetter
from compliance.exports.bundle.archive import Archive
from compliance.exports.dossier.models import Dossier
from compliance.exports.models import Bundle, RuleCertificate
from compliance.exports.services.issue_dossier import issue_dossier, sign_dossiers
from compliance.exports.sum_trees.merkle_sum_tree import Sums
from compliance.exports.sum_trees.shares import TreeOf
from compliance.exports.sum_trees.trees_of_day import make_tree
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from payouts.disputes.models import Dispute, DisputeEvidence, VerdictProposal
from payouts.disputes.propose_verdict import ProposedVerdict, propose_verdict
from payouts.evidence import File
from rounds.rules.catalogue import RULE_SETS
from tests.casino.api.api_client import ADMINISTRATOR
from tests.casino.api.events.event_scenarios import webhook_to
from tests.casino.api.exports.export_programs import approve
from tests.casino_in_play import NOW, by_now
from tests.compliance.exports.exported_days import CLERK, key_in
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.disputes.dispute_scenarios import CITED, ask, disputed, play, take

ANNA: Final = "p-anna-71f3"
BRUNO: Final = "p-bruno-9c41"
MARKS: Final = {
    name: {
        "pseudonym": pseudonym,
        "bet": f"bet-of-{pseudonym}",
        "participation": f"N-{pseudonym}",
        "text": f"What {pseudonym[2:]} says, and nobody else.",
        "question": f"What {pseudonym[2:]} was asked.",
        "evidence": f"screen-of-{pseudonym[2:]}.png",
        "seen": f"seen by {pseudonym[2:]}",
    }
    for name, pseudonym in (("anna", ANNA), ("bruno", BRUNO))
}
"""What is one customer's and tells of nobody else: texts that stand nowhere but there."""
DEALER: Final = "dealer-of-r-1"
PROPOSED: Final = "What a program would decide, and no customer reads."


def make_everything(folder: Path) -> None:
    """A round in which both bet alike, with disputes, dossiers, a bundle and a certificate."""
    bets = [_bet(marks) for marks in MARKS.values()]
    play(baccarat_round("r-1", bets=bets, dealer=DEALER))
    for marks in MARKS.values():
        _contest(marks)
    append_to_log(KEY, now=by_now())
    for dispute in Dispute.objects.order_by("pk"):
        for reader in Dossier.Audience:
            issue_dossier(dispute, reader, at=by_now(), actor=CLERK)
    sign_dossiers(key=key_in(folder), now=by_now)
    _export(folder)
    _certify()


def places_of(key: ApiKey | None, customer: str = ANNA, reader: str = "customer") -> dict[str, Any]:
    """The path parameters of a customer's objects, and of a job and a webhook."""
    dispute = Dispute.objects.get(customer__pseudonym=customer)
    evidence = DisputeEvidence.objects.get(dispute=dispute)
    dossier = Dossier.objects.get(dispute=dispute, audience=reader)
    none = "018f0000-0000-7000-8000-000000000000"
    return {
        "round": "r-1",
        "customer": customer,
        "dispute": str(dispute),
        "record": dispute.finding.content["records"][0]["id"],
        "evidence": bytes(evidence.digest).hex(),
        "proposal": VerdictProposal.objects.get(dispute=dispute).pk,
        "dossier": dossier.pk,
        "certificate": RuleCertificate.objects.get().pk,
        "event": AuditRecord.objects.get(action="ROUND_SETTLED").pk,
        "job": none if key is None else _job_of(key),
        "token": none if key is None else _token_of(key),
        "webhook": none if key is None else _webhook_of(key),
    }


def _bet(marks: dict[str, str]) -> dict[str, Any]:
    customer_fields = {"player": marks["pseudonym"], "participation": marks["participation"]}
    return baccarat_bet(marks["bet"], "player", "10.00", **customer_fields)


def _contest(marks: dict[str, str]) -> None:
    """A dispute with a question to its customer."""
    photo = File(marks["evidence"], b"\x89PNG\r\n\x1a\n" + marks["seen"].encode())
    dispute = disputed(
        pseudonym=marks["pseudonym"], text=marks["text"], files=[photo], is_shared=True
    )
    step = take(dispute)
    propose_verdict(
        dispute_id=dispute.pk,
        seen=step.sequence,
        proposed=ProposedVerdict(VerdictProposal.Verdict.UPHELD, PROPOSED, CITED),
        at=by_now(),
        actor=ADMINISTRATOR,
    )
    ask(dispute, note=marks["question"])


def _export(folder: Path) -> None:
    """The file of a bundle with one register, a sum tree and two signatures."""
    rows = f"customer\n{ANNA}\n{BRUNO}\n".encode()
    day = NOW.date()
    sums = [(customer, Sums(1_000, 2_000, 0, 0)) for customer in (ANNA, BRUNO)]
    tree, leaves = make_tree(TreeOf(day, "baccarat", bytes(32)), sums)
    tree.save(force_insert=True)
    path = folder / "bundle.zip"
    with Archive(path) as archive:
        written = archive.add("registers/bets.csv", [rows])
        archive.add("totals/baccarat.leaves", leaves, compress=False)
        files = [{"name": written.name, "size": written.size, "sha256": written.digest, "rows": 2}]
        manifest = json.dumps({"files": files}).encode()
        archive.add("manifest.json", [manifest])
        archive.add("manifest.json.p7s", [b"signed"])
    Bundle.objects.create(
        number=1,
        day=day,
        kind=Bundle.Kind.CLOSED_DAY,
        manifest_digest=hashlib.sha256(manifest).digest(),
        path=path.name,
        size=path.stat().st_size,
        built_at=NOW,
    )
    details = {"totals": {tree.game: tree.to_json()}}
    record_entries([Entry("DAY_EXPORTED", "bundle:1", details)], at=NOW, actor=CLERK)
    append_to_log(KEY, now=by_now())
    approve()


def _certify() -> None:
    rules = RULE_SETS["baccarat/1"]
    content = json.dumps({"rules": rules.name})
    RuleCertificate.objects.create(
        rules=rules.name,
        rules_digest=rules.digest,
        content=content,
        digest=hashlib.sha256(content.encode()).digest(),
        signature=b"signed",
        key_id="0",
        issued_at=NOW,
        actor=CLERK.name,
    )


def _job_of(key: ApiKey) -> str:
    """A job that waits for the workers."""
    with tempfile.TemporaryFile() as body:
        body.write(b"{}\n")
        body.flush()
        upload = begin_job(
            body,
            is_document=False,
            signature=None,
            key=key,
            at=timezone.now(),
            actor=ADMINISTRATOR,
        )
    return str(upload.delivery)


def _token_of(key: ApiKey) -> str:
    """A customer's token that the key issued."""
    issued_token = issue_customer_token(
        customer=BRUNO, minutes=5, issuer=key, at=timezone.now(), actor=ADMINISTRATOR
    )
    return issued_token.key.handle


def _webhook_of(key: ApiKey) -> str:
    """A webhook with an undelivered event."""
    webhook = webhook_to("https://studio.example/hook", key=key).webhook
    record = AuditRecord.objects.get(action="ROUND_SETTLED")
    DeadLetter.objects.create(
        webhook=webhook,
        number=1,
        event_id=record.pk,
        leaf=0,
        type="round.settled",
        attempts=9,
        error="answered 503",
        first_tried_at=NOW,
        died_at=NOW + timedelta(days=1),
    )
    return str(webhook.pk)
