"""Trying stuck work again, whatever it is, and ringing for it."""

from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.actor import Actor
from payouts.models import WorkKind
from payouts.services.retry_document import retry_document
from payouts.services.retry_round import retry_round
from payouts.services.retry_task import retry_task
from payouts.services.stuck_steps import StuckWorkRefusal
from payouts.stuck.work import WorkId
from rounds.tasks import ring_for, ring_for_settlement


class NothingToTry(StuckWorkRefusal):
    """A conflict stays one however often it is looked at."""


class Tried(NamedTuple):
    """What came of a try, in words for the person who asked for it."""

    is_under_way: bool
    words: str


def try_again(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    """Tries a piece of work again at once; refusals are those of the services."""
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
    ring_for_settlement()
    return Tried(is_under_way=True, words=_("It is due now; a worker takes it within seconds."))


def _try_task(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    task = retry_task(failing_id=work.key, seen=seen, at=timezone.now(), actor=actor)
    if ring_for(task):
        return Tried(is_under_way=True, words=_("A worker runs it within seconds."))
    away = _("The broker is away: the task could not be started.")
    return Tried(is_under_way=False, words=away)


def _try_document(work: WorkId, *, seen: int, actor: Actor) -> Tried:
    if retry_document(document_id=work.key, seen=seen, at=timezone.now(), actor=actor):
        ring_for_settlement()
        return Tried(is_under_way=True, words=_("The document was taken."))
    refused = _("It was refused again; its history says why.")
    return Tried(is_under_way=False, words=refused)
