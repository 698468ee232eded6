"""CSV: UTF-8, semicolons, a heading; what a program and a spreadsheet read alike.

Money is integer cents. Times are UTC, ``2026-11-21 21:10:10.5``.
"""

from collections.abc import Iterator
from typing import Final

from compliance.exports.day import Snapshot
from compliance.exports.encoders.copying import Block, copied, ordered
from compliance.exports.encoders.defusing import defused
from compliance.exports.registers.register import Column, ColumnType, Register

_WRITTEN: Final = "FORMAT csv, DELIMITER ';', HEADER"


def csv_blocks(snapshot: Snapshot, register: Register) -> Iterator[bytes]:
    """The file."""
    for block in _blocks(snapshot, register):
        yield block.content


def _blocks(snapshot: Snapshot, register: Register) -> Iterator[Block]:
    values = ", ".join(f'{_value(one)} AS "{one.name}"' for one in register.columns)
    return copied(snapshot, ordered(register, values), written=_WRITTEN)


def _value(column: Column) -> str:
    value = f'line."{column.name}"'
    match column.type:
        case ColumnType.TEXT:
            return defused(value)
        case ColumnType.TIME:
            return f"{value} AT TIME ZONE 'UTC'"
        case ColumnType.DIGEST:
            return f"encode({value}, 'hex')"
        case _:
            return value
