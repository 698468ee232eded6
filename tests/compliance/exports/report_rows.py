"""Rounds for standing reports, and reading of reports."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.test import override_settings

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.encoders.copy_stream import stream_of
from compliance.exports.encoders.json_lines import json_line
from compliance.exports.registers.register import Column, ColumnType, Register
from compliance.exports.scope import Scope, snapshot
from compliance.exports.services.build_bundle import Exported, build_bundle
from compliance.trail.record import Entry, record_entries
from rounds.models import Table
from rounds.services.change_table import change_table
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.exports.exported_days import (
    CLERK,
    DAY,
)
from tests.documents import lines
from tests.rounds.contract.by_hand import ENDED_AT, QB, bet, deal

THE_DAY: Final = Scope(DAY, DAY)
WIN, PUSH, LOSE = "1:9S D:TD 1:TC D:8C", "1:9S D:TD 1:9C D:8C", "1:9S D:TD 1:8C D:8D"
DOUBLE_WINS: Final = "1:5S D:TD 1:6C D:8C 1:TH"
NINES_OF_SPADES: Final = "1:9S D:9S 1:9S D:8C"
LARGE: Final = 2000
"""Cents from which on a win is large in tests."""

Row = dict[str, Any]


def read_report(
    register: Register, of: Scope = THE_DAY, *, large_win_cents: int = LARGE
) -> list[Row]:
    """The rows of a report as JSON."""
    with (
        override_settings(LARGE_WIN_CENTS=large_win_cents),
        snapshot(of, database="default") as seen,
        stream_of(seen, register, [json_line]) as stream,
    ):
        text = b"".join(stream.blocks(stream.control.rows))
    return [json.loads(line) for line in text.splitlines()]


def record(
    action: str, subject: str, details: Mapping[str, Any] | None = None, *, at: datetime = NOW
) -> None:
    """An audit record by Elena Conti."""
    with transaction.atomic():
        record_entries([Entry(action, subject, details or {})], at=at, actor=CLERK)


def change(*, name: str) -> Table:
    """Renames the table."""
    table = Table.objects.get(code="bac-1")
    return change_table(
        table_id=table.pk, name=name, rules=table.rules, seen=1, at=NOW, actor=CLERK
    )


def play_golden_chips() -> None:
    """Six rounds of Quantum Blackjack+: chips that win, double, push, lose and are late."""
    open_table("t-1", QB)
    chip = bet("b1", funding="golden")
    rival = bet("b2", player="p-2", stake="20.00")
    doubled = bet("b1", play="D", raised="10.00", funding="golden")
    pair = bet("b3", "player_pair", "1.00", funding="golden")
    suited = bet("b4", "21+3", "1.00")
    lost = bet("b2", player="p-2")
    ingest(
        lines(
            _quantum(1, WIN, chip, rival),
            _quantum(2, PUSH, chip),
            _quantum(3, DOUBLE_WINS, doubled),
            _quantum(4, LOSE, chip),
            _quantum(5, NINES_OF_SPADES, bet("b1", stake="5.00"), pair, suited),
            _quantum(6, LOSE, chip | {"placed_at": ENDED_AT}, lost),
        )
    )
    settle()


def _quantum(number: int, text: str, *bets: Row) -> Row:
    shoe = {"id": f"s-{number}", "drawn": 52}
    return deal(text, *bets, rules=QB, round=f"q-{number}", session="M2", shoe=shoe)


def extract(folder: Path, key: SigningKey, of: Scope) -> Exported:
    """The exported bundle of a scope."""
    return build_bundle(of=of, folder=folder, key=key, database="default", at=NOW, actor=CLERK)


def shown_in_csv(column: Column, value: object) -> str:
    """A JSON value as CSV shows it."""
    if value is None:
        return ""
    text = str(value)
    return text.replace("T", " ").rstrip("Z") if column.type is ColumnType.TIME else text


def assert_right_type(cell: Any, column: Column, text: str) -> None:
    """Asserts type and value of a workbook cell."""
    if cell.value is None:
        assert text == ""
    elif column.type in {ColumnType.TIME, ColumnType.DAY}:
        assert cell.is_date
        assert isinstance(cell.value, datetime)
        assert cell.value.isoformat(sep=" ")[:10] == text[:10]
    elif column.type is ColumnType.CENTS:
        assert cell.number_format == "#,##0.00"
        assert round(cell.value * 100) == int(text)
    elif column.type is ColumnType.INTEGER:
        assert cell.value == int(text)
    else:
        assert cell.data_type in {"s", "inlineStr"}
