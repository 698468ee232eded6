"""Alarms: what may not wait until somebody opens the page."""

from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_noop

from casino.notifications.conditions.condition import Condition, Snapshot
from compliance.monitoring.models import WatchAlarm
from compliance.trail.log.log_losses import found_loss
from compliance.trail.log.log_status import unsigned_since
from compliance.trail.witnesses.cosigned_heads import uncosigned_since
from payouts.cases.halt_cases import open_halts
from payouts.cases.status import open_cases
from payouts.integrity.stop_settlement import open_stops
from payouts.reconciliation.models import ReconcileRun

_PERMISSION: Final = "payouts.propose_decision"
_RESUMES: Final = "payouts.resume_settlement"
_CONFIRMS: Final = "signatures.confirm_log_gap"
_MOST: Final = 50


def alarms(look: Snapshot) -> Iterable[Condition]:
    """The alarms that are not dealt with, told to everybody who proposes decisions.

    Stops of settlement are told to those who may resume it.
    Lost records of the log are told to those who may declare them lost.
    """
    people, others = look.people_with(_PERMISSION), look.compliance()
    for key, subject, address in _open_alarms(look):
        yield Condition(key, subject, address, people, others)
    resumers = look.people_with(_RESUMES)
    for stop in open_stops():
        subject = gettext_noop("Settlement has stopped: a check of integrity failed")
        if stop.kind not in settings.INTEGRITY_STOPS:
            subject = gettext_noop("A check of integrity failed")
        yield Condition(stop.subject, subject, reverse("integrity_stops"), resumers, others)
    loss = found_loss()
    if loss is not None:
        subject = gettext_noop("The audit log has lost records")
        declarers = look.people_with(_CONFIRMS)
        yield Condition(loss.subject, subject, reverse("log_keys"), declarers, others)


def _open_alarms(look: Snapshot) -> Iterable[tuple[str, str, str]]:
    in_alarm = WatchAlarm.objects.filter(case__in=open_cases()).select_related("case")
    for alarm in in_alarm.order_by("pk")[:_MOST]:
        yield f"watch:{alarm.pk}", str(alarm.case), reverse("case", args=[alarm.case_id])
    for halt in open_halts():
        subject = gettext_noop("Execution of cases is halted")
        yield f"halt:{halt.pk}", subject, reverse("case", args=[halt.case_id])
    since = unsigned_since(look.at)
    if since is not None:
        address = reverse("admin:trail_auditrecord_changelist")
        yield "log", gettext_noop("Audit log signing has stopped"), address
    if uncosigned_since(look.at) is not None:
        subject = gettext_noop("Witnesses do not cosign the audit log")
        yield "witnesses", subject, reverse("log_keys")
    differing = _differing_run()
    if differing is not None:
        address = reverse("admin:payouts_reconcilerun_change", args=[differing])
        yield f"books:{differing}", gettext_noop("The books do not balance"), address


def _differing_run() -> int | None:
    """The last completed full reconciliation, if it found differences."""
    full = ReconcileRun.objects.filter(first_day=None, last_day=None, round=None)
    run = full.filter(finished_at__isnull=False).order_by("-pk").first()
    if run is None or not run.parts.filter(differences__gt=0).exists():
        return None
    return int(run.pk)
