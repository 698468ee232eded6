"""Retrying items of the exceptions queue."""

from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.retry_document import retry_document
from payouts.stuck_work.retry_round import retry_round
from payouts.stuck_work.retry_task import retry_task
from payouts.stuck_work.work import WorkId
from rounds.arrival import configured_limits
from rounds.wake_workers import notify_workers, wake_settlement_workers


class NotRetryable(StepError):
    """A conflict cannot be retried."""


class RetryResult(NamedTuple):
    """The result of an attempt, as a message."""

    is_started: bool
    message: str


def retry_now(work: WorkId, *, seen: int, actor: Actor) -> RetryResult:
    """Retry an item immediately. Raises the errors of the services."""
    match work.kind:
        case WorkKind.ROUND:
            return _retry_round(work, seen=seen, actor=actor)
        case WorkKind.TASK:
            return _retry_task(work, seen=seen, actor=actor)
        case WorkKind.DOCUMENT:
            return _retry_document(work, seen=seen, actor=actor)
        case WorkKind.CONFLICT:
            raise NotRetryable


def _retry_round(work: WorkId, *, seen: int, actor: Actor) -> RetryResult:
    retry_round(round_id=work.key, seen=seen, at=timezone.now(), actor=actor)
    wake_settlement_workers()
    return RetryResult(
        is_started=True, message=_("Retry scheduled. A worker picks it up within seconds.")
    )


def _retry_task(work: WorkId, *, seen: int, actor: Actor) -> RetryResult:
    task = retry_task(failing_id=work.key, seen=seen, at=timezone.now(), actor=actor)
    if notify_workers(task):
        return RetryResult(
            is_started=True, message=_("Task scheduled. A worker runs it within seconds.")
        )
    message = _("The message broker is unavailable. The task was not started.")
    return RetryResult(is_started=False, message=message)


def _retry_document(work: WorkId, *, seen: int, actor: Actor) -> RetryResult:
    if retry_document(
        document_id=work.key, seen=seen, at=timezone.now(), actor=actor, limits=configured_limits()
    ):
        wake_settlement_workers()
        return RetryResult(is_started=True, message=_("Document accepted."))
    message = _("The document was rejected again. See its history for the reason.")
    return RetryResult(is_started=False, message=message)
