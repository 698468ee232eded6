"""The report of daily totals."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS

from payouts.gaming_days.daily_totals_report import DailyTotal, daily_totals
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 21)
HEADINGS = (
    "day,table,rules,rounds,void_rounds,bets,void_bets,settled_stakes,settled_stakes_chips,"
    "payout,payout_chips\n"
)


def report(*days: str) -> str:
    """The output of the command."""
    written = StringIO()
    call_command("daily_totals", *days, stdout=written)
    return written.getvalue()


class TestADay:
    def test_is_the_sum_of_its_settled_rounds(self) -> None:
        """Two rounds of 22.00 staked and 25.00 paid; the held one does not count."""
        open_table()
        ingest(
            lines(baccarat_round("r-1"), baccarat_round("r-2"), held_baccarat_round("r-3")),
        )
        settle()

        totals = list(daily_totals(first=DAY, last=DAY, database=DEFAULT_DB_ALIAS))

        expected = DailyTotal(DAY, "bac-1", "baccarat/1", 2, 0, 6, 0, 4400, 0, 5000, 0)
        assert totals == [expected]

    def test_is_written_as_csv_in_euro(self) -> None:
        """For a spreadsheet."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        written = report("2026-11-21")

        assert written == f"{HEADINGS}2026-11-21,bac-1,baccarat/1,1,0,3,0,22.00,0.00,25.00,0.00\n"

    def test_begins_and_ends_in_rome(self) -> None:
        """23:10 in London is after midnight in Rome."""
        open_table()
        late = {
            key: f"2026-11-20T23:{minute}Z"
            for key, minute in (
                ("opened_at", "10:10"),
                ("closed_at", "10:25"),
                ("ended_at", "11:02"),
            )
        }
        bets = [{**bet, "placed_at": "2026-11-20T23:10:15Z"} for bet in baccarat_round("r")["bets"]]
        ingest(lines(baccarat_round("r-1", **late, bets=bets)))
        settle()

        days = [
            list(daily_totals(first=day, last=day, database=DEFAULT_DB_ALIAS))
            for day in (date(2026, 11, 20), DAY)
        ]

        assert [len(day) for day in days] == [0, 1]


class TestDaysWithoutRounds:
    def test_are_the_headings_alone(self) -> None:
        """Nothing was settled."""
        assert report("2026-11-01", "2026-11-30") == HEADINGS


class TestSomethingThatIsNoDay:
    def test_is_refused_with_what_was_needed(self) -> None:
        """The 31st of November."""
        with pytest.raises(CommandError, match="found 2026-11-31; needed a day like 2026-11-21"):
            report("2026-11-31")
