"""The demo's past days are closed, exported and signed, and have disputes, as persons do it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from casino.devserver.demo import demo_person, make_people, make_signing_keys
from casino.devserver.dispute_stories import STORIES, open_disputes
from casino.devserver.history import close_past_days, fill_history, sign_bundles
from compliance.exports.bundle.signing import make_signing_key
from compliance.exports.bundle_status import Stage, stage_of, steps_of
from compliance.exports.models import Bundle
from compliance.exports.scope import one_day
from compliance.exports.services.build_bundle import build_bundle
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from payouts.disputes.models import Dispute
from payouts.disputes.status import State, dispute_statuses
from payouts.gaming_days.models import DayClosing
from payouts.tasks import reconcile_task
from rounds.gaming_day import ROME
from rounds.models import Round
from tests.casino.devserver.demo_casino import deal_demo
from tests.casino_in_play import settle
from tests.compliance.exports.day_closings import LOG_KEY

_POLL_SECONDS = 0.2
_EXPORTED = 7


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR, settings.SOFTWARE_KEYS = tmp_path, True
    settings.DECISION_DELAY = timedelta(0)


@contextmanager
def a_worker() -> Iterator[None]:
    """Reconciles in the background."""
    ended = Event()

    def work() -> None:
        while not ended.wait(_POLL_SECONDS):
            reconcile_task()
        connection.close()

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def export(folder: Path, *, at: datetime) -> None:
    """The bundles of the latest closed days."""
    append_to_log(LOG_KEY, now=at)
    folder.mkdir()
    key = make_signing_key(folder / "export.key", name="Demo", at=at)
    days = DayClosing.objects.order_by("-day").values_list("day", flat=True)[:_EXPORTED]
    for day in sorted(days):
        actor = Actor("demo")
        build_bundle(
            of=one_day(day), folder=folder, key=key, database="default", at=at, actor=actor
        )


@pytest.mark.slow
def test_past_days_are_closed_exported_and_signed(fresh_casino: str, tmp_path: Path) -> None:
    """28 days by compliance, bundles by two persons, a dispute in each state; all verifies."""
    deal_demo(rounds=300)
    settle(at=timezone.now())
    compliance, supervisor = demo_person("compliance"), demo_person("supervisor")

    with a_worker():
        closed = close_past_days(now=timezone.now, actor=compliance)
    opened = open_disputes(now=timezone.now)
    export(tmp_path / "out", at=timezone.now())
    signed = sign_bundles(now=timezone.now, actors=(compliance, supervisor))

    today = timezone.now().astimezone(ROME).date()
    days = list(DayClosing.objects.order_by("day").values_list("day", flat=True))
    assert days == [today - timedelta(days=before) for before in range(29, 1, -1)]
    assert closed == 28
    assert set(DayClosing.objects.values_list("actor", flat=True)) == {"Lorenzo Ferri"}
    assert Round.objects.filter(booked_on__in=days).count() >= 28 * 3
    statuses = dispute_statuses(Dispute.objects.all())
    assert opened == len(STORIES)
    assert {status.state for status in statuses.values()} == set(State)
    steps = steps_of(Bundle.objects.all())
    assert Counter(stage_of(steps[number]) for number in steps) == {
        Stage.APPROVED: 2,
        Stage.SENT: 3,
        Stage.RECEIVED: 2,
    }
    assert signed == _EXPORTED
    faults: list[str] = []
    verify_rows(faults.append)
    verify_signatures(faults.append)
    assert faults == []
    assert not close_past_days(now=timezone.now, actor=compliance)
    assert not open_disputes(now=timezone.now)
    assert not sign_bundles(now=timezone.now, actors=(compliance, supervisor))


@pytest.mark.django_db
def test_past_days_stay_open_where_keys_in_files_do_not_sign(
    settings: Settings, tmp_path: Path
) -> None:
    """Nobody could sign for the demo's people."""
    settings.SOFTWARE_KEYS = False
    make_people(passwords_file=tmp_path / "passwords.json")
    make_signing_keys(at=timezone.now())
    said: list[str] = []

    fill_history(now=timezone.now, say=said.append)

    assert said == ["past days stay open: the keys of the demo's people do not sign"]
    assert not DayClosing.objects.exists()
