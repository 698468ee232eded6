"""A register: what its columns are, and where its rows come from."""

from dataclasses import dataclass
from enum import StrEnum


class ColumnType(StrEnum):
    """What a value is, whatever the file that it is written to."""

    TEXT = "text"
    INTEGER = "integer"
    """Yes and no are 1 and 0."""
    CENTS = "cents"
    """Integer cents; a workbook shows euro."""
    TIME = "time"
    """UTC, to the microsecond."""
    DAY = "day"
    DIGEST = "digest"
    """SHA-256 in lower-case hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column; its query gives NULL only where it is optional.

    ``is_plain`` promises texts of letters, digits and ``. _ : / -`` alone, which no file escapes.
    """

    name: str
    type: ColumnType
    about: str
    is_optional: bool = False
    is_plain: bool = False


def text(name: str, about: str, *, optional: bool = False, plain: bool = False) -> Column:
    """Text; from outside unless it is plain."""
    return Column(name, ColumnType.TEXT, about, optional, plain)


def integer(name: str, about: str, *, optional: bool = False) -> Column:
    """A number or a count."""
    return Column(name, ColumnType.INTEGER, about, optional)


def cents(name: str, about: str, *, optional: bool = False) -> Column:
    """Money; every such column has its control total."""
    return Column(name, ColumnType.CENTS, about, optional)


def time(name: str, about: str, *, optional: bool = False) -> Column:
    """A moment."""
    return Column(name, ColumnType.TIME, about, optional)


def day(name: str, about: str, *, optional: bool = False) -> Column:
    """A calendar day in Rome."""
    return Column(name, ColumnType.DAY, about, optional)


def digest(name: str, about: str) -> Column:
    """The digest of something that is told elsewhere."""
    return Column(name, ColumnType.DIGEST, about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """One register of a day.

    ``query`` is a SELECT with the parameters of ``compliance.exports.day.Day`` that gives every
    column by its name, and what ``order`` names. ``order`` is total: no two rows are equal in it,
    and it rests on no collation. ``clock`` is the column of which first and last time are told.
    """

    key: str
    version: int
    """Of the columns: another one whenever what a reader finds changes."""
    row: str
    """What one row is, in a word."""
    title: str
    about: str
    pgda: str
    """The messages of ADM's protocol for remote games (PGDA) that speak of the same."""
    columns: tuple[Column, ...]
    query: str
    order: tuple[str, ...]
    clock: str | None = None

    @property
    def schema(self) -> str:
        """``"stages/1"``."""
        return f"{self.key}/{self.version}"

    @property
    def money(self) -> tuple[Column, ...]:
        """The columns that have control totals."""
        return tuple(one for one in self.columns if one.type is ColumnType.CENTS)
