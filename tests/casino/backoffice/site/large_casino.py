"""A casino with many rows, for tests of pages."""

import json
from datetime import date, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.test import Client

from benchmarks.web.list_pages import (
    VIEWER,
)
from casino.access.models import AccessNotice
from casino.access.roles import grant_roles
from casino.integrations.add_webhook import NewWebhook, add_webhook
from casino.integrations.rotate_key import rotate_key
from compliance.certification.services.set_weights import set_weights
from compliance.exports.models import Bundle
from compliance.exports.services.set_tax_rate import set_tax_rate
from compliance.exports.tax_rates import signed_rates
from compliance.impact.models import ImpactAnalysis
from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.watch_tables import watch_tables
from compliance.notifications.models import Notification
from compliance.retention.models import LegalHold
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.manage_reasons import Wording, add_reason
from payouts.comments.write_comment import write_comment
from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.control_totals import summed
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from payouts.stuck_work.failing_tasks import record_task_failure
from rounds.models import ClosedDay
from rounds.uploads.upload_feed import upload_feed
from tests.casino.api.api_client import issued
from tests.casino.backoffice.replay_links.links import linked
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.disputes.dispute_scenarios import disputed
from tests.payouts.settlement.resettlement_scenarios import GIULIA
from tests.studio_signatures import Signer

_DAY: Final = date(2026, 11, 21)


def fill(first: int, count: int) -> None:
    """Adds this many of everything that is listed, numbered from ``first``."""
    group = grant_roles()[VIEWER]
    run = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=Actor("test"))
    for number in range(first, first + count):
        day = ClosedDay.objects.create(day=date(2026, 1, 1) + timedelta(days=number)).day
        totals = {"all": summed([]), "games": [], "ledger": {"cash": {}, "chips": {}}}
        closed = {"closed_at": NOW, "actor": "test", "totals": totals, "digest": b""}
        DayClosing.objects.create(day=day, run=run, **closed)
        Bundle.objects.create(
            number=number + 1,
            day=day,
            manifest_digest=bytes(32),
            previous_digest=bytes(32) if number else None,
            size=1,
            built_at=NOW,
        )
        held = {"about": f"p-{number}", "reference": "order", "placed_at": NOW, "actor": "x"}
        LegalHold.objects.create(first_day=day, actor_user_id=0, **held)
        reading = {"reading": "soft-seventeen", "reading_index": 1}
        ImpactAnalysis.objects.create(started_at=NOW, actor="x", **reading)
        _record_archive(number)
        _set_weights(day)
        at = NOW + timedelta(seconds=number)
        set_tax_rate(game="", in_force_from=day, per_million=number, at=at, actor=GIULIA)
        open_table(f"t-{number}")
        Signer(number + 1).proposed(f"t-{number}")
        rotated = issued(owner=f"program {number}").key
        rotate_key(
            key_id=rotated.pk, seen=1, overlap=timedelta(days=1), at=NOW, actor=Actor("test")
        )
        requested = NewWebhook(f"https://studio.example/{number}")
        add_webhook(key=rotated, new=requested, at=NOW, actor=Actor("test"))
        words = Wording("x", "x", needs_regulator=False, is_active=True)
        add_reason(code=f"r-{number}", purpose="refund", wording=words, at=NOW, actor=GIULIA)
        worker = User.objects.create_user(f"person {number}")
        worker.groups.set([group])
        Client().force_login(worker)
        Notification.objects.create(
            recipient=User.objects.get(username=VIEWER),
            kind="approval",
            key=f"case:{number}",
            subject=f"C-{number:04}",
            address="/admin/cases/",
            created_at=NOW,
        )
        AccessNotice.objects.create(
            recipient=User.objects.get(username=VIEWER),
            action="FACTOR_ADDED",
            about=worker,
            actor="test",
            created_at=NOW,
        )
        upload_feed(
            pieces=[b"a feed"], name=f"feed {number}", most_bytes=100, at=NOW, actor=Actor("test")
        )
        begin_reconciliation(scope=EVERYTHING, at=NOW, actor=Actor("test"))
        for _failure in range(3):
            record_task_failure(
                task=f"task-{number}", error="disk full", takes_arguments=False, at=NOW
            )
    signed_rates()  # each is verified once
    numbers = range(first, first + count)
    bets = {n: [baccarat_bet("b", "player", "10.00", player=f"p-{n}")] for n in numbers}
    ingest(
        lines(
            *(baccarat_round(f"r-settled-{n}", bets=bets[n]) for n in numbers),
            *(baccarat_round(f"r-settled-{n}", session="M2") for n in numbers),
            *(
                baccarat_round(f"r-void-{n}", incident="malfunction", dealer=f"d-{n}")
                for n in numbers
            ),
            *(held_baccarat_round(f"r-held-{n}") for n in numbers),
            *(baccarat_round(f"r-elsewhere-{n}", table=f"t-{n}") for n in numbers),
            *(f"broken {n}" for n in numbers),
        )
    )
    settle()
    count_days()
    watch_tables(last_day=_DAY, at=NOW, actor=Actor("test"))
    for number in numbers:
        case = opened("malfunction", f"r-settled-{number}")
        reader = User.objects.get(username=VIEWER)
        write_comment(about=case, text="x", mentions=[reader], at=NOW, actor=GIULIA)
        dispute = disputed(f"r-settled-{number}", f"p-{number}")
        linked(dispute.round, dispute.customer, days=number % 7 + 1)
    ingest(lines(*(baccarat_round(f"r-waiting-{n}") for n in numbers)))


def _record_archive(number: int) -> None:
    """An archive of a month long ago, without its files."""
    details = {
        "number": 1,
        "list_sha256": "",
        "signature_sha256": "",
        "files": 60,
        "bytes": 7_300_000_000,
        "rows": 999_000_000,
        "key_id": "ab" * 32,
    }
    written = Entry("ARCHIVE_WRITTEN", f"archive:{2000 + number}-01", details)
    record_entries([written], at=NOW, actor=Actor("test"))


def _set_weights(day: date) -> None:
    """Weights that wait for approval, from this day on."""
    set_weights(
        content=json.dumps(MULTIPLIER_DOCUMENT),
        in_force_from=day,
        reason="test",
        at=NOW,
        actor=GIULIA,
    )
