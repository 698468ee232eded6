"""Computations in parts that several processes share; each ends with an audit record.

A process claims a part by its row (``compliance.storage.claimed_parts``).
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries


class SharedRun(models.Model):
    """Who began a computation, and when it began and ended. Its parts have ``done_at``."""

    started_at = models.DateTimeField(_("started"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        abstract = True


_Run = TypeVar("_Run", bound=SharedRun)


def finish_run(
    kind: type[_Run],
    run_id: int,
    *,
    parts: "QuerySet[Any]",
    entry_of: Callable[[_Run], Entry],
    now: Callable[[], datetime],
) -> bool:
    """Finishes and records a run whose parts are all done. Returns whether it is finished."""
    with transaction.atomic():
        run = kind._default_manager.select_for_update().get(pk=run_id)
        if run.finished_at is None and not parts.filter(done_at=None).exists():
            run.finished_at = now()
            run.save(update_fields=["finished_at"])
            actor = Actor(run.actor, run.actor_user_id)
            record_entries([entry_of(run)], at=run.finished_at, actor=actor)
    return run.finished_at is not None


def sums_of(parts: "QuerySet[Any]", names: Sequence[str]) -> dict[str, int]:
    """The sums of these columns over parts, done or not."""
    sums = parts.aggregate(**{name: Sum(name, default=0) for name in names})
    return {name: int(sums[name]) for name in names}
