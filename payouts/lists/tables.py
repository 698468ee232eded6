"""The registered tables as a list."""

from collections.abc import Iterable
from dataclasses import dataclass

from import_export.fields import Field

from payouts.lists.cells import TextCell
from payouts.lists.resource import ListResource
from rounds.models import Table
from rounds.services.change_table import change_table
from rounds.services.register_table import register_table


@dataclass
class TableLine:
    """A table, registered or to be."""

    code: str = ""
    name: str = ""
    rules: str = ""
    id: int = 0
    version: int = 0


class TableList(ListResource):
    """Tables by code. A table that the file leaves out stays as it is."""

    keys = ("code",)
    code = Field("code", "code", TextCell())
    name = Field("name", "name", TextCell())
    rules = Field("rules", "rules", TextCell())

    def stored(self) -> Iterable[TableLine]:
        """Every table."""
        return map(_line_of, Table.objects.order_by("code"))

    def stored_line(self, key: tuple[str, ...]) -> TableLine | None:
        """The table of that code."""
        table = Table.objects.filter(code=key[0]).first()
        return None if table is None else _line_of(table)

    def init_instance(self, row: object = None) -> TableLine:
        """A table to be."""
        return TableLine()

    def keep(self, line: TableLine, *, is_new: bool) -> None:
        """Registers the table or changes it."""
        said = {"name": line.name, "rules": line.rules, "at": self.at, "actor": self.actor}
        if is_new:
            register_table(code=line.code, **said)  # type: ignore[arg-type]  # by name
        else:
            change_table(table_id=line.id, seen=line.version, **said)  # type: ignore[arg-type]

    def subject_of(self, key: tuple[str, ...]) -> str:
        """The table."""
        return f"table:{key[0]}"


def _line_of(table: Table) -> TableLine:
    return TableLine(table.code, table.name, table.rules, table.pk, table.version)
