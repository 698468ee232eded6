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


class NothingToTry(StepError):
    """A conflict cannot be retried."""


class Tried(NamedTuple):
    """The result of an attempt, as a message."""

    is_under_way: bool
    words: str


def try_again(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    """Retry an item immediately. Raises the errors of the services."""
    match work.kind:
        case WorkKind.ROUND:
            return _try_round(work, seen=seen, actor=actor)
        case WorkKind.TASK:
            return _try_task(work, seen=seen, actor=actor)
        case WorkKind.DOCUMENT:
            return _try_document(work, seen=seen, actor=actor)
        case WorkKind.CONFLICT:
            raise NothingToTry


def _try_round(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    retry_round(round_id=work.key, seen=seen, at=timezone.now(), actor=actor)
    wake_settlement_workers()
    return Tried(
        is_under_way=True, words=_("Retry scheduled. A worker picks it up within seconds.")
    )


def _try_task(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    task = retry_task(failing_id=work.key, seen=seen, at=timezone.now(), actor=actor)
    if notify_workers(task):
        return Tried(is_under_way=True, words=_("Task scheduled. A worker runs it within seconds."))
    away = _("The message broker is unavailable. The task was not started.")
    return Tried(is_under_way=False, words=away)


def _try_document(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    if retry_document(
        document_id=work.key, seen=seen, at=timezone.now(), actor=actor, limits=configured_limits()
    ):
        wake_settlement_workers()
        return Tried(is_under_way=True, words=_("Document accepted."))
    message = _("The document was rejected again. See its history for the reason.")
    return Tried(is_under_way=False, words=message)
