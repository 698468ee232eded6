"""The stake limits in force as a list."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from import_export.fields import Field
from import_export.results import Result, RowResult

from casino.backoffice.spreadsheets.cells import AmountCell, TextCell
from casino.backoffice.spreadsheets.resource import ListResource
from rounds.field_errors import InvalidField
from rounds.models import Table
from rounds.services.limit_stakes import (
    NO_SET,
    check_limit,
    limit_stakes,
    limits_of_set,
)
from rounds.services.limits_in_force import set_in_force


@dataclass
class LimitRow:
    """The minimum and maximum stake of a bet kind at a table, in cents."""

    table: str = ""
    kind: str = ""
    least: int | None = None
    most: int | None = None


class LimitList(ListResource):
    """Limits by table and bet kind.

    The lines of a table replace all its limits. Tables that are not in the file keep theirs.
    """

    keys = ("table", "kind")
    table = Field("table", "table", TextCell())
    kind = Field("kind", "kind", TextCell())
    least = Field("least", "least", AmountCell())
    most = Field("most", "most", AmountCell())

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._in_force: dict[str, dict[str, LimitRow]] = {}
        self._wanted: dict[str, dict[str, tuple[int, int]]] = {}

    def stored(self) -> Iterator[LimitRow]:
        """Every limit in force."""
        for code in Table.objects.order_by("code").values_list("code", flat=True):
            yield from self._lines_of(code).values()

    def stored_line(self, key: tuple[str, ...]) -> LimitRow | None:
        """The limit in force of that bet at that table."""
        code, kind = key
        return self._lines_of(code).get(kind)

    def init_instance(self, row: object = None) -> LimitRow:
        """A new limit."""
        return LimitRow()

    def keep(self, line: LimitRow, *, is_new: bool) -> None:
        """Validate the limit; the sets are saved after all lines."""
        table = Table.objects.filter(code=line.table).first()
        if table is None:
            raise InvalidField("table", line.table, _("a registered table"))
        check_limit(table.rules, line.kind, line.least or 0, line.most or 0)

    def after_import_row(self, row: Any, row_result: RowResult, **kwargs: Any) -> None:
        """Collect the limit, changed or not."""
        line: LimitRow = row_result.instance
        self._wanted.setdefault(line.table, {})[line.kind] = (line.least or 0, line.most or 0)

    def after_import(self, dataset: object, result: Result, **kwargs: Any) -> None:
        """Save the new sets."""
        if result.has_validation_errors() or result.has_errors():
            return
        for code, wanted in self._wanted.items():
            before = self._lines_of(code)
            self.removed += [line for kind, line in before.items() if kind not in wanted]
            table_id = Table.objects.values_list("pk", flat=True).get(code=code)
            in_force = set_in_force(table_id)
            seen = NO_SET if in_force is None else in_force.pk
            limit_stakes(table_id=table_id, limits=wanted, seen=seen, at=self.at, actor=self.actor)

    def subject_of(self, key: tuple[str, ...]) -> str:
        """The table."""
        return f"table:{key[0]}"

    def _lines_of(self, code: str) -> dict[str, LimitRow]:
        """The limits in force at a table, queried once."""
        if code not in self._in_force:
            table = Table.objects.filter(code=code).first()
            limits = {} if table is None else limits_of_set(set_in_force(table.pk))
            self._in_force[code] = {
                kind: LimitRow(code, kind, *cents) for kind, cents in sorted(limits.items())
            }
        return self._in_force[code]
