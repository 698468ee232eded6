"""The totals of a day with many rounds of closed days take steps in proportion to the rounds."""

import json
from datetime import timedelta
from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from payouts.reconciliation.checks.days import Days, check_days
from payouts.reconciliation.checks.differences import CheckResult
from payouts.settlement.models import Settlement
from rounds.models import ClosedDay
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import AFTER, DAY, NEXT, NOON, arrive, dealt, settle_at

_ROWS: Final = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
_FOR_EACH_ROW: Final = ("Filter", "Join Filter")
_FOR_EACH_LOOP: Final = ("Index Cond", "Recheck Cond")


@pytest.fixture
def _closed(fresh_casino: str) -> None:
    """What arrives from now on for the day is booked on the next one."""
    open_table()
    ClosedDay.objects.create(day=DAY)


def play(first: int, number: int) -> None:
    """Rounds of the closed day, each with three bets, settled on the next."""
    at = (NOON + timedelta(minutes=minute) for minute in range(first, first + number))
    arrive(*(dealt(f"r-{opened:%H-%M}", opened) for opened in at), at=AFTER)
    settle_at(AFTER)


def steps_of_check(late: int) -> int:
    """The rows that PostgreSQL looks at to compare the totals of the day with its settlements.

    An array that a condition searches for a row, or reads for a loop, is as many steps as it has
    elements. Without scans of whole tables, which PostgreSQL prefers while they are small.
    """
    assert Settlement.objects.filter(booked_on=NEXT).count() == late
    result = CheckResult()
    with CaptureQueriesContext(connection) as captured:
        check_days(Days(NEXT, NEXT), result)
    assert result.differing == 0
    totals = [query["sql"] for query in captured if "AS stored FULL JOIN" in query["sql"]]
    assert len(totals) == 2
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        return sum(_steps(_plan(cursor, query), array=late) for query in totals)


def _plan(cursor: Any, query: str) -> dict[str, Any]:
    cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {query}")
    [(found,)] = cursor.fetchall()
    [explained] = json.loads(found) if isinstance(found, str) else found
    plan: dict[str, Any] = explained["Plan"]
    return plan


def _steps(node: dict[str, Any], *, array: int) -> int:
    loops: int = node["Actual Loops"]
    rows: int = round(sum(node.get(name, 0) for name in _ROWS) * loops)
    searches = rows * _has_array(node, _FOR_EACH_ROW) + loops * _has_array(node, _FOR_EACH_LOOP)
    inside = sum(_steps(child, array=array) for child in node.get("Plans", ()))
    return rows + searches * array + inside


def _has_array(node: dict[str, Any], conditions: tuple[str, ...]) -> bool:
    return any("ANY" in node.get(name, "") for name in conditions)


@pytest.mark.usefixtures("_closed")
def test_twice_as_many_late_rounds_take_twice_as_many_steps() -> None:
    """Not four times as many: each is looked up by its id, and no list of all is searched."""
    play(0, 20)
    few = steps_of_check(20)
    play(20, 20)
    many = steps_of_check(40)

    assert few > 20 * 3
    assert many < 2.5 * few
