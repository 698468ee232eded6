"""Stuck work in the words of the pages."""

from datetime import datetime
from typing import Final

from celery import current_app
from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.models import FailingTask
from payouts.pages.stuck_retry import NothingToTry
from payouts.services.assign_stuck_work import OwnerMayNotHandle
from payouts.services.resolve_stuck_work import ReasonMissing, RoundNotClosable
from payouts.services.retry_task import TaskTakesArguments
from payouts.services.stuck_steps import StuckWorkClosed, StuckWorkGone, StuckWorkMoved
from payouts.stuck.people import name_of
from payouts.stuck.work import StuckWork
from payouts.templatetags.sabot import moment
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.services.queue import RoundInHand, RoundSuspended
from rounds.suspended import UNTIL_RESUMED

_TASKS: Final[dict[str, str | Promise]] = {
    "payouts.settle_rounds": gettext_lazy("Settling waiting rounds"),
    "payouts.reconcile": gettext_lazy("Reconciling"),
    "payouts.ingest_uploads": gettext_lazy("Ingesting uploaded feeds"),
    "payouts.reconcile_nightly": gettext_lazy("Starting the nightly reconciliation"),
}
_REFUSALS: Final[dict[type[Exception], str | Promise]] = {
    StuckWorkGone: gettext_lazy("It does not stand still any more. Nothing had to be done."),
    StuckWorkClosed: gettext_lazy("Somebody has dealt with it already. Nothing was changed."),
    RoundInHand: gettext_lazy("A worker tries it this very moment. Nothing had to be done."),
    RoundSuspended: gettext_lazy("Its table is suspended: it is settled when that is resumed."),
    RoundNotClosable: gettext_lazy("A round waits until it is settled or held."),
    NothingToTry: gettext_lazy("A conflict cannot be tried again: somebody has to look at it."),
    ReasonMissing: gettext_lazy("Nothing was changed: say what was done, or why nothing is to be."),
    TaskTakesArguments: gettext_lazy(
        "The task was called with arguments; from here nobody can run it again."
    ),
}


def title_of(work: StuckWork) -> str:
    """What stands still, as people call it."""
    row = work.row
    if isinstance(row, QueuedRound | ConflictingDocument):
        return f"{row.round.game_code} · {row.round.table.code}"
    if isinstance(row, QuarantinedDocument):
        return _("Line %(line)s of %(source)s") % {"line": row.line, "source": row.source}
    return str(_TASKS.get(row.task, row.task))


def reference_of(work: StuckWork) -> str:
    """How machines call it; empty for a document whose round cannot be read."""
    row = work.row
    if isinstance(row, QueuedRound | ConflictingDocument):
        return row.round.reference
    return row.task if isinstance(row, FailingTask) else row.round_reference or ""


def error_of(work: StuckWork) -> str:
    """What keeps it standing still."""
    row = work.row
    if isinstance(row, ConflictingDocument):
        came = {"line": row.line, "source": row.source}
        return _("Line %(line)s of %(source)s has other content for this stored round.") % came
    return work.error or _("No worker has tried it yet.")


def next_try_of(work: StuckWork, *, at: datetime) -> str:
    """When it is tried again without anybody's doing."""
    if work.due_at == UNTIL_RESUMED:
        return _("when its table is resumed")
    if work.due_at is not None:
        return (
            moment(work.due_at, "s")
            if work.due_at > at
            else _("due since %(when)s") % {"when": moment(work.due_at, "s")}
        )
    if isinstance(work.row, FailingTask) and work.row.task in _scheduled():
        return _("on its schedule")
    return _("only by hand")


def refusal_words(refusal: Exception) -> str:
    """Why something was not done, to the person who asked for it."""
    if isinstance(refusal, StuckWorkMoved):
        return _moved_words(refusal)
    if isinstance(refusal, OwnerMayNotHandle):
        return _("%(person)s may not handle stuck work.") % {"person": name_of(refusal.owner)}
    return str(_REFUSALS[type(refusal)])


def _moved_words(refusal: StuckWorkMoved) -> str:
    latest = refusal.latest
    first = _("%(who)s came first (%(what)s, %(when)s); nothing of yours was changed.") % {
        "who": latest.actor,
        "what": latest.get_action_display(),
        "when": moment(latest.at, "s"),
    }
    return f"{first} {owner_words(latest.owner)}"


def owner_words(owner: User | None) -> str:
    """Who has a piece of work now."""
    if owner is None:
        return _("Nobody has it now.")
    return _("%(person)s has it now.") % {"person": name_of(owner)}


def _scheduled() -> frozenset[str]:
    """The tasks that Celery's beat starts by itself."""
    return frozenset(entry["task"] for entry in current_app.conf.beat_schedule.values())
