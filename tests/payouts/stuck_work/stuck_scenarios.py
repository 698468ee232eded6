"""Exceptions for tests, and people who may handle it."""

from datetime import timedelta
from typing import Final

from django.contrib.auth.models import Group, User

from compliance.trail.actor import WORKER
from payouts.settlement.sweep import sweep_waiting_rounds
from payouts.stuck_work.failing_tasks import record_task_failure
from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.work import WorkId
from rounds.arrival import Arrival
from rounds.booking_day import open_books
from rounds.documents import read_documents
from rounds.models import ConflictingDocument, QuarantinedDocument, Round
from rounds.services.sort_documents import NewRound, SortedBatch, sort_documents
from rounds.services.store import store_documents
from tests.casino_in_play import NOW, STUDIO, ingest
from tests.documents import baccarat_round, lines

TASK: Final = "payouts.settle_rounds"


def person(role: str, name: str = "") -> User:
    """A person in a role, named like it by default."""
    user = User.objects.create_user(name or role, is_staff=True, last_name=name or role)
    user.groups.add(Group.objects.get(name=role))
    return User.objects.get(pk=user.pk)  # without the permissions that it had before its role


def failing_round(reference: str = "r-1", *, tries: int = 3) -> WorkId:
    """A round of an unknown rule set after this many attempts; needs a table."""
    [batch] = read_documents(lines(baccarat_round(reference)))
    [new] = sort_documents(batch, arrival=Arrival(NOW)).arrivals
    assert isinstance(new, NewRound)
    lost = new._replace(dealt=new.dealt._replace(rules="baccarat/0"))
    store_documents(
        SortedBatch(arrivals=[lost]),
        signature=None,
        source="old feed",
        books=open_books(at=NOW),
        at=NOW,
        actor=STUDIO,
    )
    for attempt in range(tries):
        later = NOW + attempt * timedelta(hours=1)
        sweep_waiting_rounds(now=lambda at=later: at, actor=WORKER, batches=1)  # type: ignore[misc]
    return WorkId(WorkKind.ROUND, Round.objects.get(reference=reference).pk)


def conflict(reference: str = "r-c") -> WorkId:
    """A round and a conflicting document; needs a table."""
    ingest(lines(baccarat_round(reference), baccarat_round(reference, session="M2")))
    return WorkId(WorkKind.CONFLICT, ConflictingDocument.objects.latest("id").pk)


def quarantined(document: object = "{broken") -> WorkId:
    """A document that cannot be ingested."""
    ingest(lines(document))
    return WorkId(WorkKind.DOCUMENT, QuarantinedDocument.objects.latest("id").pk)


def failing_task(name: str = TASK, *, failures: int = 3) -> WorkId:
    """A task that failed this many times, once a minute."""
    for failure in range(failures):
        at = NOW + failure * timedelta(minutes=1)
        record_task_failure(task=name, error="OSError: disk full", takes_arguments=False, at=at)
    return WorkId(WorkKind.TASK, FailingTask.objects.latest("id").pk)
