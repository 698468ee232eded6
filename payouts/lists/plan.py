"""What a file would change, line by line: the dry run, and the very same again when confirmed."""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from import_export.results import RowResult
from tablib import Dataset

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from payouts.lists.cells import found_in
from payouts.lists.files import ListUnreadable, Sheet, read_sheet
from payouts.lists.limits import LimitList
from payouts.lists.reasons import ReasonList
from payouts.lists.resource import ListResource
from payouts.lists.tables import TableList
from payouts.models import ListImport
from rounds.services.intake import lock_names
from rounds.wording import NONE

LISTS: Final[dict[str, type[ListResource]]] = {
    ListImport.Kind.TABLES: TableList,
    ListImport.Kind.LIMITS: LimitList,
    ListImport.Kind.REASONS: ReasonList,
}
_CHANGES: Final = {
    RowResult.IMPORT_TYPE_NEW: "new",
    RowResult.IMPORT_TYPE_UPDATE: "changed",
    RowResult.IMPORT_TYPE_SKIP: "same",
}
_DECIDED: Final = (
    "TABLE_REGISTERED",
    "TABLE_CHANGED",
    "LIMITS_DECIDED",
    "REASON_ADDED",
    "REASON_CHANGED",
)


class Cell(NamedTuple):
    """One column of a line: what stands, what the file says."""

    column: str
    before: str
    after: str

    @property
    def differs(self) -> bool:
        """Whether it would change."""
        return self.before != self.after


class Wrong(NamedTuple):
    """A cell that cannot be taken."""

    column: str
    found: str
    needed: str


class Line(NamedTuple):
    """One line: new, changed, same, removed or wrong; ``number`` is its place in the file."""

    number: int | None
    key: tuple[str, ...]
    change: str
    cells: tuple[Cell, ...]
    wrong: tuple[Wrong, ...] = ()


class Plan(NamedTuple):
    """What a file would change."""

    columns: list[str]
    lines: list[Line]
    subjects: frozenset[str]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines there are of each kind."""
        kinds = ("new", "changed", "removed", "same", "wrong")
        return {kind: sum(line.change == kind for line in self.lines) for kind in kinds}

    @property
    def can_be_confirmed(self) -> bool:
        """All or nothing: not with a line that is wrong, and not where nothing would change."""
        counts = self.counts
        return not counts["wrong"] and any(counts[kind] for kind in ("new", "changed", "removed"))

    @property
    def digest(self) -> str:
        """The same for the same changes from the same state."""
        return hashlib.sha256(repr(self.lines).encode()).hexdigest()


class PlanMoved(Exception):
    """What the file would change is no longer what the person had seen; nothing was written."""


def send_list(*, kind: str, name: str, content: bytes, at: datetime, actor: Actor) -> ListImport:
    """Keeps a file for its dry run. Raises ListUnreadable."""
    check_columns(LISTS[kind](at=at, actor=actor), read_sheet(content))
    return ListImport.objects.create(
        kind=kind,
        name=name[-200:],
        content=content,
        digest=hashlib.sha256(content).digest(),
        sent_at=at,
        sent_by=actor.name,
    )


def dry_run(sent: ListImport, *, at: datetime, actor: Actor) -> Plan:
    """What the file would change now; all of it is done and undone in one transaction."""
    return _run(sent, is_dry=True, at=at, actor=actor)


def import_list(sent: ListImport, *, seen: str, at: datetime, actor: Actor) -> Plan:
    """Changes what the file says, all or nothing, if that is still what the person has seen.

    ``seen`` is the digest of the plan that was shown. Raises PlanMoved.
    """
    with transaction.atomic():
        lock_names([f"list:{sent.kind}"])
        held = ListImport.objects.select_for_update().get(pk=sent.pk)
        plan = _run(held, is_dry=False, at=at, actor=actor)
        if held.confirmed_at is not None or plan.digest != seen or not plan.can_be_confirmed:
            raise PlanMoved
        held.confirmed_at, held.confirmed_by = at, actor.name
        held.save(update_fields=["confirmed_at", "confirmed_by"])
        digest = bytes(held.digest).hex()
        details = {"list": held.kind, "file": held.name, "digest": digest, **plan.counts}
        record_entries([Entry("LIST_IMPORTED", f"import:{held.pk}", details)], at=at, actor=actor)
    return plan


def decided_since(plan: Plan, moment: datetime) -> list[AuditRecord]:
    """What was decided about the lines' things since then, newest first."""
    about = AuditRecord.objects.filter(subject__in=plan.subjects, action__in=_DECIDED)
    return list(about.filter(at__gt=moment).order_by("-id")[:20])


def check_columns(resource: ListResource, sheet: Sheet) -> None:
    """Raises ListUnreadable where the first line does not name the list's columns."""
    needed = resource.columns()
    if sorted(sheet.columns) != sorted(needed):
        words = _("The first line must name these columns: %(needed)s. It names: %(found)s.")
        told = {"needed": ", ".join(needed), "found": ", ".join(sheet.columns) or NONE}
        raise ListUnreadable(str(words) % told)


def _run(sent: ListImport, *, is_dry: bool, at: datetime, actor: Actor) -> Plan:
    resource = LISTS[sent.kind](at=at, actor=actor)
    sheet = read_sheet(bytes(sent.content))
    width = len(sheet.columns)
    rows = [(row.cells + [None] * width)[:width] for row in sheet.rows]
    result = resource.import_data(
        Dataset(*rows, headers=sheet.columns),
        dry_run=is_dry,
        use_transactions=True,
        rollback_on_validation_errors=True,
    )
    for failed in (*result.base_errors, *(error for row in result.rows for error in row.errors)):
        raise failed.error
    numbers = [row.number for row in sheet.rows]
    lines = [_line(resource, number, row) for number, row in zip(numbers, result.rows, strict=True)]
    lines += [_removed(resource, line) for line in resource.removed]
    subjects = frozenset(resource.subject_of(line.key) for line in lines)
    return Plan(resource.columns(), lines, subjects)


def _line(resource: ListResource, number: int, row: RowResult) -> Line:
    key = resource.key_of(row.row_values)
    if row.validation_error is not None:
        return Line(number, key, "wrong", (), tuple(_wrong(row)))
    before = row.original if _CHANGES[row.import_type] != "new" else None
    cells = tuple(
        Cell(column, "" if before is None else old, new)
        for column, old, new in zip(
            resource.columns(), _told(resource, before), _told(resource, row.instance), strict=True
        )
    )
    return Line(number, key, _CHANGES[row.import_type], cells)


def _removed(resource: ListResource, line: Any) -> Line:  # noqa: ANN401  a line of the list
    told = zip(resource.columns(), _told(resource, line), strict=True)
    cells = tuple(Cell(column, text, "") for column, text in told)
    key = tuple(str(getattr(line, column)) for column in resource.keys)
    return Line(None, key, "removed", cells)


def _told(resource: ListResource, line: Any) -> list[str]:  # noqa: ANN401  a line of the list
    return [found_in(field.export(line)) for field in resource.get_import_fields()]


def _wrong(row: RowResult) -> Iterator[Wrong]:
    for column, errors in row.validation_error.message_dict.items():
        yield Wrong(column, found_in(row.row_values.get(column)), " ".join(errors))
