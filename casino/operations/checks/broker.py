"""Checks of the broker, its workers and beat."""

from datetime import timedelta
from typing import Final

from celery import current_app
from django.conf import settings
from django.utils import timezone

from casino.operations.checks.check_result import CheckResult, error, ok, warning
from casino.workers.queues import EXPORTER, FEED, WEB, queue_of
from payouts.reconciliation.models import ReconcileRun
from payouts.tasks import NIGHTLY_RECONCILIATION

_ANSWER_SECONDS: Final = 2
_INSPECT_SECONDS: Final = 5
_A_NIGHT: Final = timedelta(hours=26)


def broker_answers() -> CheckResult:
    """It accepts a connection."""
    needed = "an answer"
    try:
        with current_app.connection_for_write(connect_timeout=_ANSWER_SECONDS) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=_ANSWER_SECONDS)
    except Exception as failure:  # noqa: BLE001  each transport has errors of its own
        todo = "start the broker, or correct CELERY_BROKER_URL"
        return error("no answer", needed, todo, detail=_without_password(failure))
    return ok(needed, needed)


def workers_answer() -> CheckResult:
    """On each queue a worker answers."""
    default = settings.CELERY_TASK_DEFAULT_QUEUE
    queues = [default, *(queue_of(role, default=default) for role in (FEED, EXPORTER, WEB))]
    inspect = current_app.control.inspect(timeout=_INSPECT_SECONDS)
    answers = inspect.active_queues() or {}
    served = {queue["name"] for listed in answers.values() for queue in listed}
    without = [queue for queue in queues if queue not in served]
    needed = "a worker on each queue"
    if without:
        todo = "start celery -A casino worker, with --queues for each but the first"
        return error(f"none on {', '.join(without)}", needed, f"{todo} ({default})")
    return ok(f"{len(answers)} workers", needed)


def beat_is_alive() -> CheckResult:
    """It has begun the reconciliation of the last night."""
    runs = ReconcileRun.objects.filter(actor=NIGHTLY_RECONCILIATION.name).order_by("-pk")
    last = runs.values_list("started_at", flat=True).first()
    needed = "a nightly reconciliation within 26 hours"
    todo = "start celery -A casino beat"
    if last is None:
        return warning("none yet", needed, f"{todo}, if this is no new installation")
    age = timezone.now() - last
    found = f"the last began {age.total_seconds() / 3600:.0f} hours ago"
    return error(found, needed, todo) if age > _A_NIGHT else ok(found, needed)


def _without_password(failure: Exception) -> str:
    """The error; its text may contain the URL."""
    return type(failure).__name__
