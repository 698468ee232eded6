"""The changes of a file, line by line: the dry run, repeated at confirmation."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _
from import_export.results import RowResult
from tablib import Dataset

from casino.backoffice.spreadsheets.cells import cell_text
from casino.backoffice.spreadsheets.files import ListUnreadable, Sheet, read_sheet
from casino.backoffice.spreadsheets.limits import LimitList
from casino.backoffice.spreadsheets.models import ListImport
from casino.backoffice.spreadsheets.reasons import ReasonList
from casino.backoffice.spreadsheets.resource import ListResource
from casino.backoffice.spreadsheets.tables import TableList
from compliance.signatures.sign_decision import SignatureRequired, signed_together
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState
from rounds.formatting import NONE

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
    """A column of a line: current and new value."""

    column: str
    before: str
    after: str

    @property
    def differs(self) -> bool:
        """Whether the value changes."""
        return self.before != self.after


class Wrong(NamedTuple):
    """An invalid cell."""

    column: str
    found: str
    needed: str


class PlanRow(NamedTuple):
    """A line: new, changed, same, removed or wrong; ``number`` is its line number."""

    number: int | None
    key: tuple[str, ...]
    change: str
    cells: tuple[Cell, ...]
    wrong: tuple[Wrong, ...] = ()


SIGNED: Final = (ListImport.Kind.LIMITS, ListImport.Kind.REASONS)
"""The lists whose lines are signed decisions."""


class Plan(NamedTuple):
    """The changes that a file would make."""

    columns: list[str]
    lines: list[PlanRow]
    subjects: frozenset[str]

    @property
    def counts(self) -> dict[str, int]:
        """The number of lines of each kind."""
        kinds = ("new", "changed", "removed", "same", "wrong")
        return {kind: sum(line.change == kind for line in self.lines) for kind in kinds}

    @property
    def can_be_confirmed(self) -> bool:
        """Whether there are changes and no invalid lines."""
        counts = self.counts
        return not counts["wrong"] and any(counts[kind] for kind in ("new", "changed", "removed"))

    @property
    def digest(self) -> str:
        """Identical for identical changes from the same state."""
        return hashlib.sha256(repr(self.lines).encode()).hexdigest()


def send_list(*, kind: str, name: str, content: bytes, at: datetime, actor: Actor) -> ListImport:
    """Store a file for its dry run. Raises ListUnreadable."""
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
    """The changes that the file would make now, computed in a transaction that is rolled back.

    Nobody signs what is rolled back.
    """
    with suppress(SignatureRequired), signed_together(actor._replace(signer=None)) as unsigned:
        plan = _run(sent, is_dry=True, at=at, actor=unsigned)
    return plan


def import_list(sent: ListImport, *, seen: str, at: datetime, actor: Actor) -> None:
    """Apply the file completely if its changes are those that the user reviewed.

    ``seen`` is the digest of the displayed plan. Raises StaleState. One signature of the actor
    signs all decisions: raises as ``record_decision``.
    """
    with signed_together(actor) as signing:
        lock_names([f"list:{sent.kind}"])
        held = ListImport.objects.select_for_update().get(pk=sent.pk)
        plan = _run(held, is_dry=False, at=at, actor=signing)
        if held.confirmed_at is not None or plan.digest != seen or not plan.can_be_confirmed:
            raise StaleState
        held.confirmed_at, held.confirmed_by = at, actor.name
        held.save(update_fields=["confirmed_at", "confirmed_by"])
        digest = bytes(held.digest).hex()
        details = {"list": held.kind, "file": held.name, "digest": digest, **plan.counts}
        record_entries([Entry("LIST_IMPORTED", f"import:{held.pk}", details)], at=at, actor=actor)


def decided_since(plan: Plan, moment: datetime) -> list[AuditRecord]:
    """Changes of the same subjects since a time, newest first."""
    about = AuditRecord.objects.filter(subject__in=plan.subjects, action__in=_DECIDED)
    return list(about.filter(at__gt=moment).order_by("-id")[:20])


def check_columns(resource: ListResource, sheet: Sheet) -> None:
    """Raises ListUnreadable if a column is missing."""
    needed = resource.columns()
    if sorted(sheet.columns) != sorted(needed):
        message = _(
            "The first line must contain these columns: %(needed)s. It contains: %(found)s."
        )
        params = {"needed": ", ".join(needed), "found": ", ".join(sheet.columns) or NONE}
        raise ListUnreadable(str(message) % params)


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


def _line(resource: ListResource, number: int, row: RowResult) -> PlanRow:
    key = resource.key_of(row.row_values)
    if row.validation_error is not None:
        return PlanRow(number, key, "wrong", (), tuple(_wrong(row)))
    before = row.original if _CHANGES[row.import_type] != "new" else None
    cells = tuple(
        Cell(column, "" if before is None else old, new)
        for column, old, new in zip(
            resource.columns(),
            _values_of(resource, before),
            _values_of(resource, row.instance),
            strict=True,
        )
    )
    return PlanRow(number, key, _CHANGES[row.import_type], cells)


def _removed(resource: ListResource, line: Any) -> PlanRow:
    values = zip(resource.columns(), _values_of(resource, line), strict=True)
    cells = tuple(Cell(column, text, "") for column, text in values)
    key = tuple(str(getattr(line, column)) for column in resource.keys)
    return PlanRow(None, key, "removed", cells)


def _values_of(resource: ListResource, line: Any) -> list[str]:
    return [cell_text(field.export(line)) for field in resource.get_import_fields()]


def _wrong(row: RowResult) -> Iterator[Wrong]:
    for column, errors in row.validation_error.message_dict.items():
        yield Wrong(column, cell_text(row.row_values.get(column)), " ".join(errors))
