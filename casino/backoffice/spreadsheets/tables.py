"""The registered tables as a list."""

from collections.abc import Iterable
from dataclasses import dataclass

from import_export.fields import Field

from casino.backoffice.spreadsheets.cells import TextCell
from casino.backoffice.spreadsheets.resource import ListResource
from rounds.models import Table
from rounds.services.change_table import change_table
from rounds.services.register_table import register_table


@dataclass
class TableRow:
    """A table, stored or new."""

    code: str = ""
    name: str = ""
    rules: str = ""
    id: int = 0
    version: int = 0


class TableList(ListResource):
    """Tables by code. Tables that are not in the file are unchanged."""

    keys = ("code",)
    code = Field("code", "code", TextCell())
    name = Field("name", "name", TextCell())
    rules = Field("rules", "rules", TextCell())

    def stored(self) -> Iterable[TableRow]:
        """Every table."""
        return map(_line_of, Table.objects.order_by("code"))

    def stored_line(self, key: tuple[str, ...]) -> TableRow | None:
        """The table of that code."""
        table = Table.objects.filter(code=key[0]).first()
        return None if table is None else _line_of(table)

    def init_instance(self, row: object = None) -> TableRow:
        """A new table."""
        return TableRow()

    def keep(self, line: TableRow, *, is_new: bool) -> None:
        """Register or change the table."""
        name, rules = line.name, line.rules
        if is_new:
            register_table(code=line.code, name=name, rules=rules, at=self.at, actor=self.actor)
            return
        change_table(
            table_id=line.id,
            name=name,
            rules=rules,
            seen=line.version,
            at=self.at,
            actor=self.actor,
        )

    def subject_of(self, key: tuple[str, ...]) -> str:
        """The table."""
        return f"table:{key[0]}"


def _line_of(table: Table) -> TableRow:
    return TableRow(table.code, table.name, table.rules, table.pk, table.version)
