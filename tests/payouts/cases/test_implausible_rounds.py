"""Rounds with impossible times from an older release: listed, voided by two persons, exported."""

from datetime import UTC, date, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from payouts.cases.models import Case
from payouts.cases.remedies import Remedy
from payouts.settlement.customer_totals import days_played
from payouts.settlement.models import Settlement
from rounds.models import Customer
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_bet, lines
from tests.payouts.cases.case_scenarios import approve, execute, propose
from tests.payouts.gaming_days.day_scenarios import dealt
from tests.payouts.reconciliation.five_games import differences
from tests.payouts.settlement.resettlement_scenarios import GIULIA

OPENED = {
    "r-0001": datetime(1, 1, 1, tzinfo=UTC),
    "r-1950": datetime(1950, 1, 2, 3, tzinfo=UTC),
    "r-1969": datetime(1969, 7, 20, 20, tzinfo=UTC),
    "r-9999": datetime(9999, 12, 31, 23, 30, tzinfo=UTC),
}


def play_as_before() -> None:
    """Settles rounds without checks of times, one with a bet of the future."""
    open_table()
    rounds = [dealt(name, at) for name, at in OPENED.items()]
    ahead = baccarat_bet("b1", "player", "10.00", placed_at="2999-01-01T00:00:00Z")
    rounds += [dealt("r-bet", NOW, bets=[ahead]), dealt("r-sound", NOW)]
    feed = [line.replace(b'"1-01-01', b'"0001-01-01') for line in lines(*rounds)]
    ingest(feed, arrival=Unchecked(NOW))
    settle()


def run_command(*arguments: str) -> str:
    """The output of the command."""
    output = StringIO()
    call_command("implausible_rounds", *arguments, stdout=output)
    return output.getvalue()


class TestTheCommand:
    def test_names_them_and_opens_a_case_that_two_persons_decide(self, fresh_casino: str) -> None:
        """Afterwards all stakes are returned, and no such round is left."""
        play_as_before()

        named = run_command("--open-case", "card-reader")
        case = Case.objects.get()
        propose(case, Remedy.VOID)
        approve(case)
        execute(case, at=NOW)
        afterwards = run_command("--open-case", "card-reader")

        assert [line.partition(":")[0] for line in named.splitlines()[:5]] == [*OPENED, "r-bet"]
        assert "5 implausible rounds" in named
        assert "r-sound" not in named
        assert case.actor_user_id == 0
        voids = Settlement.objects.filter(kind="void")
        assert set(voids.values_list("actor", flat=True)) == {GIULIA.name}
        assert voids.filter(approved_by__isnull=False).count() >= 4
        assert "opened case" not in afterwards
        assert differences() == []

    def test_refuses_unsuitable_reasons(self, fresh_casino: str) -> None:
        """It has to be for malfunctions and in use."""
        play_as_before()

        with pytest.raises(CommandError, match="--open-case: found checked-on-video"):
            run_command("--open-case", "checked-on-video")


@pytest.mark.django_db
class TestTheHistoryOfACustomer:
    def test_has_every_round_on_its_own_day(self) -> None:
        """Newest first, also before 1970 and at the end of 9999."""
        play_as_before()
        customer = Customer.objects.get(pseudonym="p-1")

        days = [played.day for played in days_played(customer.pk, before=None, most=10)]

        assert days == [
            date(9999, 12, 31),
            date(2026, 11, 21),
            date(1969, 7, 20),
            date(1950, 1, 2),
            date(1, 1, 1),
        ]

    @pytest.mark.parametrize(
        ("before", "days"),
        [
            (date(9999, 12, 31), ["2026-11-21", "1969-07-20", "1950-01-02", "0001-01-01"]),
            (date(1969, 7, 20), ["1950-01-02", "0001-01-01"]),
            (date(1, 1, 1), []),
        ],
    )
    def test_continues_before_any_day(self, before: date, days: list[str]) -> None:
        """Pages lose no days before 1970."""
        play_as_before()
        customer = Customer.objects.get(pseudonym="p-1")

        days_before = days_played(customer.pk, before=before, most=10)

        assert [played.day.isoformat() for played in days_before] == days


class TestExportDay:
    @pytest.mark.parametrize("day", ["9999-12-31", "2999-01-01", "0001-01-02", "1969-07-20"])
    def test_says_which_days_there_are(self, fresh_casino: str, day: str) -> None:
        """Days before the first round, and future ones, are refused."""
        with pytest.raises(
            CommandError, match=f"DAY: found {day}; needed a day from 2026-01-01 to"
        ):
            call_command("export_day", day)
