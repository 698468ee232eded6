"""Judging archived months again in parts, shared by workers on any number of hosts.

Workers read the archive, and of the database only the parts: the facts in the database, and the
rounds that wait for settlement, are left alone.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from compliance.archive.archive_list import ArchiveList
from compliance.archive.archived_tables import ROUNDS, archived_tables
from compliance.archive.judge_slice import judge_slice
from compliance.archive.models import RejudgePart, RejudgeRun
from compliance.archive.recorded_archives import (
    ArchiveMissing,
    RecordedArchive,
    recorded_archives,
    require_archive,
)
from compliance.archive.verify_archive import BadArchive, read_list
from compliance.storage.advisory_locks import lock_names
from compliance.storage.claimed_parts import claim_part
from compliance.storage.conflict_retry import retry_on_conflict
from compliance.storage.partitions import Month, months_between
from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from compliance.trail.shared_runs import finish_run, sums_of

FIGURES: Final = ("rounds", "bets", "settlements", "transfers", "differences")
_RECORDED: Final = 20
"""The most findings in the audit record; all are counted there."""


class BadSpan(Exception):
    """The last month is before the first. Nothing was written."""


def begin_rejudging(
    first: Month, last: Month, *, folder: Path, keys: Collection[str], at: datetime, actor: Actor
) -> RejudgeRun:
    """Creates the parts of a run, one for each slice of the archives that count.

    An unfinished run over the same archives is continued instead. ``keys`` are the SHA-256 of the
    operator's certificates. Raises BadSpan, ArchiveMissing, and BadArchive for an archive whose
    list is not the recorded one; nothing is written then.
    """
    if last < first:
        raise BadSpan(f"to: found {last}; needed {first} or later")
    archives = [require_archive(month) for month in months_between(first, last)]
    slices = [
        (recorded.month, recorded.number, number)
        for recorded in archives
        for number in _slices(read_list(recorded.folder(folder), recorded, keys))
    ]
    with transaction.atomic():
        lock_names(["begin rejudging"])
        for run in RejudgeRun.objects.filter(finished_at=None).order_by("pk"):
            parts = run.parts.order_by("pk").values_list("month", "number", "slice")
            if (run.first_month, run.last_month) == (str(first), str(last)) and slices == [*parts]:
                return run
        run = RejudgeRun.objects.create(
            started_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
            first_month=str(first),
            last_month=str(last),
        )
        RejudgePart.objects.bulk_create(
            [
                RejudgePart(run=run, month=month, number=number, slice=part)
                for month, number, part in slices
            ]
        )
    return run


def work_on_part(
    run: RejudgeRun, *, folder: Path, keys: Collection[str], now: Callable[[], datetime]
) -> bool:
    """Claims a free part and judges it. False if there is none."""
    return retry_on_conflict(lambda: _work_on_part(run, folder, frozenset(keys), now))


def finish_rejudging(run_id: int, *, now: Callable[[], datetime]) -> bool:
    """Finishes and records a run whose parts are all done. Returns whether it is finished."""
    parts = RejudgePart.objects.filter(run=run_id)
    return finish_run(RejudgeRun, run_id, parts=parts, entry_of=_entry, now=now)


def figures_of(run: RejudgeRun) -> dict[str, int]:
    """The counts of a run so far."""
    return sums_of(run.parts.all(), FIGURES)


def findings_of(run: RejudgeRun) -> list[str]:
    """The stored findings, in the order of the rounds."""
    parts = run.parts.order_by("pk").exclude(differences=0).values_list("findings", flat=True)
    return [text for findings in parts for text in findings]


def _slices(archive: ArchiveList) -> Sequence[int]:
    """The numbers of the slices of rounds, also of one that has other rows than rounds."""
    rounds = {table.name for table in archived_tables() if table.slices == ROUNDS}
    numbers = {
        file.slice for table in archive.tables if table.name in rounds for file in table.files
    }
    return sorted(numbers)


def _work_on_part(
    run: RejudgeRun, folder: Path, keys: frozenset[str], now: Callable[[], datetime]
) -> bool:
    part = claim_part(RejudgePart.objects.filter(run=run))
    if part is None:
        return False
    try:
        recorded = _recorded(part)
        archive = _list_of(recorded, folder, keys)
        judged = judge_slice(recorded.folder(folder), archive, part.slice)
        part.differences, part.findings = judged.differences, judged.findings
        for name in FIGURES[:-1]:
            setattr(part, name, judged.judged[name])
    except (ArchiveMissing, BadArchive) as error:
        part.differences, part.findings = 1, [f"{part.month}.{part.number}: {error}"]
    part.done_at = now()
    part.save(update_fields=[*FIGURES, "findings", "done_at"])
    return True


def _recorded(part: RejudgePart) -> RecordedArchive:
    same = [it for it in recorded_archives(part.month) if it.number == part.number]
    if len(same) != 1:
        raise ArchiveMissing(f"found {len(same)} records of this archive; needed one")
    return same[0]


@lru_cache(maxsize=2)
def _list_of(recorded: RecordedArchive, folder: Path, keys: frozenset[str]) -> ArchiveList:
    """A list is read and verified once for all of its slices; it cannot change unnoticed."""
    return read_list(recorded.folder(folder), recorded, keys)


def _entry(run: RejudgeRun) -> Entry:
    archives = run.parts.order_by("month", "number").values_list("month", "number").distinct()
    details: dict[str, Any] = {
        "from": run.first_month,
        "to": run.last_month,
        "archives": [f"{month}.{number}" for month, number in archives],
        **figures_of(run),
        "findings": findings_of(run)[:_RECORDED],
    }
    return Entry("ARCHIVE_REJUDGED", f"rejudge-run:{run.pk}", details)
