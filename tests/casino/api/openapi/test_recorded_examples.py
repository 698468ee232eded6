"""The examples of the description are what the API answers, and so are its response headers.

``make examples`` records them again, after an intended change of an answer.
"""

import os
import re
import secrets
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import transaction
from pytest_django import Settings

from casino.api.openapi.examples import EXAMPLES, FILE
from casino.integrations.models import ApiKey, DeadLetter, Webhook, WebhookState
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.services.issue_certificate import issue_certificate
from compliance.exports.services.issue_dossier import sign_dossiers
from compliance.trail.log.append_to_log import append_to_log
from payouts.disputes.models import Dispute
from rounds.rules.catalogue import RULE_SETS
from rounds.uploads.ingest_upload import ingest_uploads
from tests.casino.api.api_client import Program, issued
from tests.casino.api.exports.export_programs import approve
from tests.casino.api.openapi.recorder import Recorder, operations, text_of
from tests.casino.api.studio import NDJSON
from tests.casino.verification_page import write_page
from tests.casino_in_play import NOW, by_now, ingest, open_table, settle
from tests.compliance.exports.exported_days import CLERK, exported, key_in
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import ask, executed, partly, take
from tests.payouts.gaming_days.day_scenarios import close
from tests.payouts.settlement.resettlement_scenarios import resettle, void

pytestmark = pytest.mark.timeout(600)  # of all operations together

DOCUMENT: Final = EXAMPLES["deliver_rounds"]["request"]
PLAYER: Final = DOCUMENT["bets"][0]["player"]
_CORRECTED: Final = "bac-1-20261121-211205"
_DAY: Final = date(2026, 11, 21)
_PDF: Final = b"%PDF-1.7\n"
_VOLATILE: Final = re.compile(
    r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"  # UUIDs
    r"|\b[0-9a-f]{64,128}\b"  # digests and signatures
    r"|[A-Za-z0-9+/]{43}(?:[A-Za-z0-9+/]{48})?="  # the same in checkpoints
    r"|\b[0-9]{16}\b"  # microseconds
    r'|(?<="bytes": )[0-9]+|(?<=\\"size\\":)[0-9]+'
    r"|\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|\+00:00)"
)
_SOMETIMES: Final = {"Idempotent-Replayed", "Retry-After"}
"""Headers that only some answers of an operation have."""


@pytest.fixture
def recorder(fresh_casino: str, tmp_path: Path, settings: Settings) -> Recorder:
    """Every operation, sent in the course of a day."""
    settings.EXPORTS_FOLDER = str(tmp_path / "out")
    settings.VERIFICATION_PAGE = write_page(tmp_path)
    issued_key = issued(owner="Customer service", calls_per_minute=600)
    recorder = Recorder(Program(issued_key.token))
    _about(recorder)
    _rounds(recorder)
    key = key_in(tmp_path)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    recorder.send("list_keys", 200)
    _disputes(recorder, key)
    _exports(recorder, key, tmp_path / "out")
    _events(recorder, issued_key.key)
    _totals(recorder, key, tmp_path / "out")
    return recorder


def _about(recorder: Recorder) -> None:
    for name in ("read_index", "read_schema", "read_asyncapi", "read_feed_schema", "list_problems"):
        recorder.send(name, 200)
    recorder.send("read_problem", 200, slug="throttled")
    recorder.send("read_me", 200)


def _rounds(recorder: Recorder) -> None:
    open_table(DOCUMENT["table"])
    with transaction.atomic():
        recorder.send("deliver_rounds", 201)
        transaction.set_rollback(True)
    ingest(lines(DOCUMENT, baccarat_round(_CORRECTED)))
    settle()
    append_to_log(KEY, now=by_now())
    recorder.send("deliver_rounds", 200)
    recorder.send("deliver_rounds", 200, media_type=NDJSON)
    job = _job(recorder)
    ingest_uploads(now=by_now, after_batch=lambda: None, is_over=lambda: False)
    recorder.send("read_job", 200, job=job)
    recorder.send("list_job_results", 200, job=job)
    recorder.send("list_jobs", 200, query="?limit=1")
    recorder.send("cancel_job", 200, job=_job(recorder))
    recorder.send(
        "list_rounds", 200, query=f"?customer={PLAYER}&limit=1&expand=bets,cards,settlements"
    )
    for name in (
        *("list_bets", "read_timeline", "read_receipt", "download_verification_file"),
        "read_round",
    ):
        recorder.send(name, 200, round=DOCUMENT["round"])
    recorder.send(
        "read_round", 304, round=DOCUMENT["round"], headers={"If-None-Match": recorder.etag}
    )
    recorder.send("list_history_days", 200, pseudonym=PLAYER)
    recorder.send("list_history_rounds", 200, pseudonym=PLAYER, day="2026-11-21")
    token = recorder.send("issue_customer_token", 201)["id"]
    recorder.send("revoke_customer_token", 204, token=token)


def _job(recorder: Recorder) -> Any:
    headers = {"Prefer": "respond-async"}
    return recorder.send("deliver_rounds", 202, media_type=NDJSON, headers=headers)["id"]


def _disputes(recorder: Recorder, key: SigningKey) -> None:
    about: dict[str, Any] = {"dispute": recorder.send("open_dispute", 201)["id"]}
    append_to_log(KEY, now=by_now())
    evidence = recorder.send(
        *("add_evidence", 201),
        media_type="application/pdf",
        body=_PDF,
        query="?name=slip.pdf",
        **about,
    )
    recorder.send("list_evidence", 200, **about)
    recorder.send("read_evidence", 200, sha256=evidence["sha256"], **about)
    dispute = Dispute.objects.get()
    take(dispute, at=by_now())
    ask(dispute, at=by_now())
    recorder.send("answer_dispute", 201, **about)
    recorder.send("list_headings", 200, **about)
    proposal = recorder.send("propose_decision", 201, **about)
    recorder.send("list_proposals", 200, **about)
    recorder.send("read_proposal", 200, proposal=proposal["id"], **about)
    partly(dispute, at=by_now())
    recorder.send("list_disputes", 200, query="?expand=case,round")
    read = recorder.send("read_dispute", 200, **about)
    recorder.send("read_dispute", 304, headers={"If-None-Match": recorder.etag}, **about)
    record = read["finding"]["records"][0]["id"]
    recorder.send("prove_dispute_record", 200, record=record, **about)
    executed(dispute)
    recorder.send("escalate_dispute", 201, **about)
    recorder.send("list_dispute_steps", 200, **about)
    about["dossier"] = recorder.send("issue_dossier", 202, **about)["id"]
    sign_dossiers(key=key, now=by_now)
    for name in ("list_dossiers", "read_dossier", "download_dossier"):
        recorder.send(name, 200, **about)
    recorder.send("issue_dossier", 200, **about)
    for file in ("dossier.json", "dossier.json.p7s", "dossier.en.pdf"):
        recorder.send("download_dossier_file", 200, file=file, **about)


def _exports(recorder: Recorder, key: SigningKey, folder: Path) -> None:
    exported(folder, key)
    approve()
    recorder.send("list_exports", 200)
    recorder.send("read_export", 200, export=1)
    recorder.send("download_export", 200, export=1)
    recorder.send("download_export", 206, export=1, headers={"Range": "bytes=1-9"})
    recorder.send("download_export", 304, export=1, headers={"If-None-Match": recorder.etag})
    recorder.send("download_export_file", 200, export=1, file="registers/tax_base.csv")
    recorder.send(
        *("download_export_file", 304),
        headers={"If-None-Match": recorder.etag},
        export=1,
        file="registers/tax_base.csv",
    )
    issue_certificate(RULE_SETS[DOCUMENT["rules"]], key=key, at=NOW, actor=CLERK)
    recorder.send("list_certificates", 200)
    recorder.send("read_certificate", 200, certificate=1)
    for form in ("json", "json.p7s", "html", "pdf"):
        recorder.send("download_certificate_file", 200, certificate=1, file=f"certificate.{form}")


def _events(recorder: Recorder, key: ApiKey) -> None:
    void(_CORRECTED, after=1)
    resettle(_CORRECTED, after=2)
    append_to_log(KEY, now=by_now())
    events = recorder.send("list_events", 200)["data"]
    settled = next(event for event in events if event["type"] == "round.settled")
    about = {"event_id": settled["id"]}
    recorder.send("read_event", 200, **about)
    recorder.send("prove_event", 200, **about)
    about = {"webhook_id": recorder.send("add_webhook", 201)["id"]}
    webhook = Webhook.objects.get(pk=about["webhook_id"])
    DeadLetter.objects.create(
        webhook=webhook,
        number=1,
        event_id=events[-1]["id"],
        leaf=events[-1]["leaf"],
        type=events[-1]["type"],
        attempts=9,
        error="answered 503",
        first_tried_at=NOW,
        died_at=by_now(),
    )
    recorder.send("list_dead_letters", 200, **about)
    recorder.send("resend_dead_letters", 202, **about)
    recorder.send("resend_dead_letter", 202, number=1, **about)
    recorder.send("ping_webhook", 202, **about)
    recorder.send("rotate_webhook", 201, **about)
    WebhookState.objects.update(stopped_at=by_now())
    recorder.send("resume_webhook", 200, **about)
    recorder.send("list_webhooks", 200)
    recorder.send("read_webhook", 200, **about)
    recorder.send("change_webhook", 200, **about)
    recorder.send("remove_webhook", 204, **about)


def _totals(recorder: Recorder, key: SigningKey, folder: Path) -> None:
    close(_DAY, at=by_now())
    append_to_log(KEY, now=by_now())
    with pytest.MonkeyPatch.context() as patch:  # the example has the same shares each time
        patch.setattr(secrets, "token_bytes", bytes)
        exported(folder, key, day=_DAY)
    append_to_log(KEY, now=by_now())
    recorder.send("read_day_totals", 200, pseudonym=PLAYER, day=_DAY.isoformat())


def lasting(examples: Any) -> str:
    """The text of examples without ids, times and digests, which are new each time."""
    return _VOLATILE.sub("…", text_of(examples))


@pytest.mark.slow
def test_every_answer_is_as_declared(recorder: Recorder) -> None:
    """Each successful answer of each operation: its example, and its headers."""
    declared = {
        (name, status): set(answer["headers"])
        for name, (_method, _path, operation) in operations().items()
        for status, answer in operation["responses"].items()
        if status < "4"
    }
    differences = {
        call: different
        for call, sent in recorder.headers.items()
        if (different := (sent ^ declared[call]) - (declared[call] & _SOMETIMES))
    }

    assert differences == {}
    assert recorder.headers.keys() == declared.keys()
    if "SABOT_RECORD_EXAMPLES" in os.environ:
        FILE.write_text(text_of(recorder.examples), encoding="utf-8")
        return
    assert lasting(recorder.examples).splitlines() == lasting(EXAMPLES).splitlines(), (
        "after an intended change: make examples"
    )
