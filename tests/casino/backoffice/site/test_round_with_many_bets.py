"""The page of a round with many bets before ANALYZE has run."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from payouts.settlement.chips_on_table import chips_of
from payouts.settlement.queries import settlement_statuses
from rounds.models import Round
from tests.casino.backoffice.conftest import page_of
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines

_CROWD = 1_500


class _RowsRead:
    """The largest number of rows that a step of a query plan handles."""

    def __init__(self) -> None:
        self.most = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().startswith("SELECT"):
            with connection.connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
                [[[explained]]] = cursor.fetchall()
            self._look_at(explained["Plan"])
        return execute(sql, params, many, context)

    def _look_at(self, step: dict[str, Any]) -> None:
        rows = step["Actual Rows"] + step.get("Rows Removed by Join Filter", 0)
        rows += step.get("Rows Removed by Filter", 0)
        self.most = max(self.most, rows * step["Actual Loops"])
        for inner in step.get("Plans", ()):
            self._look_at(inner)


@pytest.fixture
def crowd(supervisor: Client) -> Client:
    """1,500 customers on Player, who wins; the tables are not analysed."""
    open_table("bac-1")
    bets = [
        baccarat_bet(f"b{number}", "player", "1.00", player=f"p-{number}")
        for number in range(_CROWD)
    ]
    ingest(lines(baccarat_round("crowd", bets=bets)))
    settle()
    return supervisor


class TestARoundOfACrowd:
    def test_reads_each_bet_and_each_settlement_once(self, crowd: Client) -> None:
        """A nested loop would handle two million rows."""
        row = Round.objects.get(reference="crowd")
        settlement = settlement_statuses([row.id])[row.id].settlement
        read = _RowsRead()

        with connection.execute_wrapper(read):
            chips_of(row.id, settlement)

        assert read.most <= 2 * _CROWD

    def test_lays_all_bets_of_a_kind_together(self, crowd: Client) -> None:
        """One group of chips for 1,500 bets."""
        page = crowd.get(page_of("crowd")).content.decode()

        assert "1,500 bets" in page

    def test_leaves_the_database_as_it_was(self, crowd: Client) -> None:
        """The planner setting is limited to the query."""
        chips_of(Round.objects.get(reference="crowd").id, None)

        with connection.cursor() as cursor:
            cursor.execute("SHOW enable_nestloop")
            assert cursor.fetchall() == [("on",)]
