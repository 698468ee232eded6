"""Messages and labels of the exceptions queue."""

from datetime import datetime
from typing import Final

from celery import current_app
from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.feed.rejection_texts import translate_rejection
from casino.backoffice.site.actions import conflict_message
from casino.backoffice.stuck_work.retry import NotRetryable
from compliance.trail.people import name_of
from compliance.trail.steps import StaleState
from payouts.stuck_work.assign import OwnerNotPermitted
from payouts.stuck_work.locked_work import StuckWorkEnded, StuckWorkResolved
from payouts.stuck_work.models import FailingTask
from payouts.stuck_work.resolve import ReasonMissing, RoundNotClosable
from payouts.stuck_work.retry_task import TaskTakesArguments
from payouts.stuck_work.work import StuckWork
from rounds.formatting import moment
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.services.queue import RoundBeingProcessed, RoundSuspended
from rounds.suspended_tables import UNTIL_RESUMED

_TASKS: Final[dict[str, str | Promise]] = {
    "payouts.settle_rounds": gettext_lazy("Settlement of queued rounds"),
    "payouts.reconcile": gettext_lazy("Reconciliation"),
    "payouts.recheck_share": gettext_lazy("Verification of a random share"),
    "payouts.ingest_uploads": gettext_lazy("Ingestion of uploaded feeds"),
    "impact.analyse": gettext_lazy("Impact analyses"),
    "archive.rejudge": gettext_lazy("Repeated evaluation of the archive"),
    "payouts.reconcile_nightly": gettext_lazy("Start of the nightly reconciliation"),
}
_ERROR_MESSAGES: Final[dict[type[Exception], str | Promise]] = {
    StuckWorkEnded: gettext_lazy("The item is no longer in the queue. No action was needed."),
    StuckWorkResolved: gettext_lazy("The item is already resolved. Nothing was changed."),
    RoundBeingProcessed: gettext_lazy("A worker is processing the item now. No action was needed."),
    RoundSuspended: gettext_lazy(
        "The table is suspended. The round is settled when the table is resumed."
    ),
    RoundNotClosable: gettext_lazy("A round stays in the queue until it is settled or held."),
    NotRetryable: gettext_lazy("A conflict cannot be retried. It needs a manual review."),
    ReasonMissing: gettext_lazy(
        "Describe what was done, or why no action is needed. Nothing was changed."
    ),
    TaskTakesArguments: gettext_lazy(
        "The task was called with arguments and cannot be run from this page."
    ),
}


def title_of(work: StuckWork) -> str:
    """The title of an item."""
    row = work.row
    if isinstance(row, QueuedRound | ConflictingDocument):
        return f"{row.round.game_code} · {row.round.table.code}"
    if isinstance(row, QuarantinedDocument):
        return _("Line %(line)s of %(source)s") % {"line": row.line, "source": row.source}
    return str(_TASKS.get(row.task, row.task))


def reference_of(work: StuckWork) -> str:
    """The reference of an item; empty for an unreadable document."""
    row = work.row
    if isinstance(row, QueuedRound | ConflictingDocument):
        return row.round.reference
    return row.task if isinstance(row, FailingTask) else row.round_reference or ""


def error_of(work: StuckWork) -> str:
    """The cause of an item."""
    row = work.row
    if isinstance(row, ConflictingDocument):
        params = {"line": row.line, "source": row.source}
        return (
            _("Line %(line)s of %(source)s has different content for this stored round.") % params
        )
    if isinstance(row, QuarantinedDocument):
        return f"{row.field}: {translate_rejection(row.found)}"
    return work.error or _("Not attempted yet.")


def next_try_of(work: StuckWork, *, at: datetime) -> str:
    """The next automatic attempt."""
    if work.due_at == UNTIL_RESUMED:
        return _("when the table is resumed")
    if work.due_at is not None:
        return (
            moment(work.due_at, "s")
            if work.due_at > at
            else _("due since %(when)s") % {"when": moment(work.due_at, "s")}
        )
    if isinstance(work.row, FailingTask) and work.row.task in _scheduled():
        return _("as scheduled")
    return _("manually only")


def error_message(error: Exception) -> str:
    """The message for an error of the services."""
    if isinstance(error, StaleState):
        return f"{conflict_message(error)} {assignee_message(error.latest.owner)}"
    if isinstance(error, OwnerNotPermitted):
        return _("%(person)s has no permission for the exceptions queue.") % {
            "person": name_of(error.owner)
        }
    return str(_ERROR_MESSAGES[type(error)])


def assignee_message(owner: User | None) -> str:
    """The current assignee, as a message."""
    if owner is None:
        return _("The item is unassigned.")
    return _("Assigned to %(person)s.") % {"person": name_of(owner)}


def _scheduled() -> frozenset[str]:
    """Tasks in the schedule of Celery beat."""
    return frozenset(entry["task"] for entry in current_app.conf.beat_schedule.values())
