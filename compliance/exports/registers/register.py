"""Declaration of registers: columns, query, order."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self


class ColumnType(StrEnum):
    """Type of a column, independent of the file format."""

    TEXT = "text"
    INTEGER = "integer"
    """Booleans are 1 and 0."""
    CENTS = "cents"
    """Integer cents; a workbook shows euro."""
    TIME = "time"
    """UTC, to the microsecond."""
    DAY = "day"
    DIGEST = "digest"
    """SHA-256 in lower-case hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column; only optional columns contain NULL.

    ``is_plain`` texts consist of letters, digits and ``. _ : / -``, which need no escaping.
    """

    name: str
    type: ColumnType
    about: str
    is_optional: bool = False
    is_plain: bool = False

    @property
    def needs_escaping(self) -> bool:
        """Whether it has texts of any characters."""
        return self.type is ColumnType.TEXT and not self.is_plain


def text(name: str, about: str, *, optional: bool = False, plain: bool = False) -> Column:
    """A text column."""
    return Column(name, ColumnType.TEXT, about, optional, plain)


def integer(name: str, about: str, *, optional: bool = False) -> Column:
    """An integer column."""
    return Column(name, ColumnType.INTEGER, about, optional)


def cents(name: str, about: str, *, optional: bool = False) -> Column:
    """A money column; it has a control total."""
    return Column(name, ColumnType.CENTS, about, optional)


def time(name: str, about: str, *, optional: bool = False) -> Column:
    """A time column, UTC."""
    return Column(name, ColumnType.TIME, about, optional)


def day(name: str, about: str, *, optional: bool = False) -> Column:
    """A column of calendar days in Rome."""
    return Column(name, ColumnType.DAY, about, optional)


def digest(name: str, about: str) -> Column:
    """A SHA-256 column."""
    return Column(name, ColumnType.DIGEST, about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A register of gaming days.

    ``select`` is a SELECT with the parameters of ``scope.Snapshot``; it returns every column by its
    name, and those in ``order``. ``tables`` are the common table expressions that it reads, which
    registers share; each follows those that it reads itself. ``order`` is total and independent of
    collations. ``clock`` is the column whose first and last time are part of the control totals.
    """

    key: str
    version: int
    """Version of the columns; incremented with every change."""
    row: str
    """Element name of a row."""
    title: str
    about: str
    pgda: str
    """The corresponding messages of ADM's protocol for remote games (PGDA)."""
    columns: tuple[Column, ...]
    select: str
    order: tuple[str, ...]
    tables: tuple[str, ...] = ()
    clock: str | None = None

    @property
    def schema(self) -> str:
        """``"stages/1"``."""
        return f"{self.key}/{self.version}"

    @property
    def query(self) -> str:
        """The SELECT with the tables that it reads."""
        if not self.tables:
            return self.select
        return f"WITH {', '.join(self.tables)} SELECT * FROM ({self.select}) AS selected"

    @property
    def money(self) -> tuple[Column, ...]:
        """The columns with control totals."""
        return tuple(column for column in self.columns if column.type is ColumnType.CENTS)

    @property
    def of_plain_texts(self) -> Self:
        """It, for rows of which no text needs escaping."""
        return replace(self, columns=tuple(replace(each, is_plain=True) for each in self.columns))
