"""The demo's past days: closed, exported and signed; with certificates of all rule sets.

Everything is decided by the services that the pages call, now, with the keys of the demo's people.
Each part does only what is missing, so that it continues after an interruption.
"""

import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from casino.devserver.comment_stories import comment_on_dispute
from casino.devserver.demo import demo_person
from casino.devserver.dispute_stories import open_disputes
from compliance.exports.bundle_status import steps_of
from compliance.exports.models import Bundle, ExportRun, RuleCertificate
from compliance.exports.services.bundle_steps import answer_bundle, send_bundle, sign_bundle
from compliance.exports.services.enqueue_certificate import enqueue_certificate
from compliance.exports.services.enqueue_export import enqueue_nightly_exports
from compliance.exports.tasks import notify_certificate_workers, notify_export_workers
from compliance.signatures.queries import signing_keys_of
from compliance.trail.actor import Actor
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import pending_items
from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from payouts.regulator_letters import Letter
from payouts.tasks import wake_reconciliation_workers
from rounds.gaming_day import ROME
from rounds.rules.catalogue import RULE_SETS

HISTORY: Final = timedelta(days=29)
"""How long before today the demo begins. Yesterday is left for its user to close."""
_NOT_SENT: Final = 2
"""The latest bundles are signed and not sent yet …"""
_NOT_ANSWERED: Final = 5
"""… and the regulator has not answered to those before."""
_POLL_SECONDS: Final = 1.0
_LONGEST_SECONDS: Final = 900.0

_SIGNERS: Final = ("supervisor", "payments", "compliance")

Clock = Callable[[], datetime]
Say = Callable[[str], None]


class HistoryIncomplete(Exception):
    """Workers did not do their part in time. The next start of the demo continues."""


def fill_history(*, now: Clock, say: Say) -> None:
    """Does what the people of the demo would have done on its past days.

    Raises HistoryIncomplete, a ``DayNotCloseable`` or StepError.
    """
    people = [User.objects.get(username=role) for role in _SIGNERS]
    if not all(signing_keys_of(person.pk, at=now()) for person in people):
        say("past days stay open: the keys of the demo's people do not sign")
        return
    compliance = demo_person("compliance")
    _ask_for_certificates(now=now, actor=compliance)
    closed = close_past_days(now=now, actor=compliance)
    if closed:
        say(f"{closed} gaming days closed and signed")
    if opened := open_disputes(now=now):
        say(f"{opened} disputes opened, one in each state")
    if comment_on_dispute(now=now):
        say("a dispute commented on, with a video reference and replay links")
    _export(now=now)
    signed = sign_bundles(now=now, actors=(compliance, demo_person("supervisor")))
    if signed:
        say(f"{signed} days exported and signed by two persons")


def close_past_days(*, now: Clock, actor: Actor) -> int:
    """Closes the days before yesterday, each with the actor's signature; returns their number."""
    last = now().astimezone(ROME).date() - timedelta(days=2)
    if not _is_due(last):
        return 0
    run = begin_reconciliation(scope=EVERYTHING, at=now(), actor=actor)
    wake_reconciliation_workers(run.parts.count())
    _wait_for(ReconcileRun.objects.filter(pk=run.pk, finished_at=None), what="the reconciliation")
    closed = 0
    while (day := next_day_to_close()) is not None and day <= last:
        held = pending_items(day).all_held
        close_day(day=day, at=now(), actor=actor, acknowledged=held)
        closed += 1
    return closed


def sign_bundles(*, now: Clock, actors: tuple[Actor, Actor]) -> int:
    """Signs the bundles of closed days, sends all but the latest, and records answers.

    Returns the number of bundles that got a step.
    """
    days = Bundle.objects.filter(
        kind=Bundle.Kind.CLOSED_DAY, day__in=DayClosing.objects.values("day")
    )
    bundles = list(days.order_by("-day"))
    steps = steps_of(bundles)
    changed = 0
    for place, bundle in enumerate(bundles):
        wanted = 2 if place < _NOT_SENT else 3 if place < _NOT_ANSWERED else 4
        done = len(steps[bundle.number])
        for seen in range(done, wanted):
            _take_step(bundle, seen, at=now(), actors=actors)
        changed += done < wanted
    return changed


def _take_step(bundle: Bundle, seen: int, *, at: datetime, actors: tuple[Actor, Actor]) -> None:
    """The next step of a bundle: two signatures, the letter, the answer."""
    number, today = bundle.number, at.astimezone(ROME).date()
    if seen < len(actors):
        sign_bundle(number=number, seen=seen, at=at, actor=actors[seen])
    elif seen == len(actors):
        letter = _letter("PEC", bundle.day, today)
        send_bundle(number=number, seen=seen, letter=letter, at=at, actor=actors[0])
    else:
        letter = _letter("ADM", bundle.day, today)
        answer_bundle(
            number=number, seen=seen, is_received=True, letter=letter, at=at, actor=actors[0]
        )


def _letter(sender: str, day: date, today: date) -> Letter:
    return Letter(f"{sender}-{day:%Y%m%d}", today)


def _is_due(last: date) -> bool:
    day = next_day_to_close()
    return day is not None and day <= last


def _export(*, now: Clock) -> None:
    """Requests the registers of closed days as every night, until none is missing."""
    while runs := enqueue_nightly_exports(at=now(), actor=Actor("demo")):
        notify_export_workers()
        requested = ExportRun.objects.filter(pk__in=[run.pk for run in runs], finished_at=None)
        _wait_for(requested, what="the exports")


def _ask_for_certificates(*, now: Clock, actor: Actor) -> None:
    """The exporter computes and signs them."""
    issued = set(RuleCertificate.objects.values_list("rules", flat=True))
    for name, rules in RULE_SETS.items():
        if name not in issued:
            enqueue_certificate(rules, at=now(), actor=actor)
    notify_certificate_workers()


def _wait_for(unfinished: "QuerySet[ReconcileRun] | QuerySet[ExportRun]", *, what: str) -> None:
    deadline = time.monotonic() + _LONGEST_SECONDS
    while unfinished.exists():
        if time.monotonic() > deadline:
            raise HistoryIncomplete(f"{what}: found work left after 15 minutes; needed none")
        time.sleep(_POLL_SECONDS)
