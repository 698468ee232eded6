"""The pages of dealers (issue 20, point 12; UKGC RTS 17A: statistics by staff and location)."""

import csv
import io
from math import comb
from typing import Final

import pytest
from django.test import Client

from casino.backoffice.monitoring.dealers import comparison_of, one_in
from compliance.monitoring.dealer_rates import By, Scope, error_rates
from compliance.monitoring.services.count_hours import count_recent_hours
from rounds.models import Table
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import open_table
from tests.compliance.monitoring.hourly_figures import dealt_by
from tests.payouts.gaming_days.day_scenarios import DAY, NOON, arrive, dealt, settle_at

DEALERS: Final = "/admin/dealers/"
ERRORS: Final = "/admin/dealers/errors/"
DAYS: Final = "from=2026-11-10&to=2026-11-10"
EXACT: Final = (comb(1000, 9) * 9000 + comb(1000, 10)) / comb(10_000, 10)
"""Chance that nine or ten of ten errors fall on the thousand rounds of one of ten dealers."""

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """A table where d-1 made nine of ten errors in a tenth of the rounds."""
    table = open_table()
    dealt_by("d-1", 1000, 9, table=table)
    for number in range(2, 11):
        dealt_by(f"d-{number}", 1000, int(number == 2), table=table, shift="night")
    return table


@pytest.fixture
def auditor() -> Client:
    """A browser of an auditor."""
    return reader(person("auditor"))


class TestTheList:
    def test_names_who_is_above_chance(self, auditor: Client, table: Table) -> None:
        """With the comparison in words, and first in the list."""
        words = plain(auditor, f"{DEALERS}?{DAYS}")

        assert "d-1 9 errors in 1,000 rounds; 1.0 expected. Would be seen by chance" in words
        assert "d-1 1,000 9 1.0 9.00 over 1,000,000 Above chance 9 0 0 0" in words
        assert "d-2 1,000 1 1.0 1.00 \N{EN DASH} As expected" in words

    def test_compares_shifts_and_locations(self, auditor: Client, table: Table) -> None:
        """In place of dealers."""
        shifts = plain(auditor, f"{DEALERS}?{DAYS}&by=shift")
        locations = plain(auditor, f"{DEALERS}?{DAYS}&by=location")

        assert "evening 1,000 9 1.0" in shifts
        assert "night 9,000 1 9.0" in shifts
        assert "Riga 10,000 10 10.0 1.00 \N{EN DASH} Too few rounds" in locations

    def test_is_ordered_and_written_as_files(self, auditor: Client, table: Table) -> None:
        """The regulator's copy."""
        answer = auditor.get(f"{DEALERS}?{DAYS}&sort=name&format=csv")

        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
        assert rows[0][:6] == [
            *(
                "Dealer",
                "Rounds",
                "Dealing errors",
                "Expected",
                "Per 1,000 rounds",
                "By chance 1 in",
            ),
        ]
        assert rows[1] == [
            *("d-1", "1000", "9", "1.00", "9.000", str(round(1 / EXACT)), "Above chance"),
            *("9", "0", "0", "0"),
        ]
        assert [row[0] for row in rows[2:4]] == ["d-10", "d-2"]

    @pytest.mark.parametrize("query", ["", "?by=x", "?from=x", "?from=0001-01-01&to=0001-01-01"])
    def test_is_shown_for_any_address(self, auditor: Client, query: str) -> None:
        """Of days without rounds."""
        assert "Dealers" in plain(auditor, DEALERS + query)

    def test_says_that_nobody_is_stated(self, auditor: Client) -> None:
        """The studio's feed has no such fields."""
        dealt_by("", 500, 1, table=open_table(), shift="", location="")

        assert "not stated 500 1" in plain(auditor, f"{DEALERS}?{DAYS}")
        assert "states no dealers" in plain(auditor, f"{DEALERS}?{DAYS}")


class TestADealersPage:
    def test_compares_at_each_table_and_lists_the_rounds(self, auditor: Client) -> None:
        """One round is broken, one is another dealer's."""
        open_table()
        arrive(
            dealt("r-1", NOON, dealer="d/1 ✓", shift="evening", incident="malfunction"),
            dealt("r-between", NOON.replace(minute=2), dealer="d-2"),
            dealt("r-2", NOON.replace(minute=5), dealer="d-2", held=True),
        )
        settle_at()
        count_recent_hours(at=NOON)

        words = plain(auditor, f"{ERRORS}?dealer=d%2F1+%E2%9C%93&{DAYS}")
        all_rounds = plain(auditor, ERRORS)

        assert "1 error in 1 round" in words
        assert "bac-1 baccarat/1 1 1 0.7 3 2" in words
        assert "Malfunction, Void d/1 ✓ evening" in words
        assert "r-2" not in words
        assert "Implausible d-2" in all_rounds

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("kind=is_void", {"r-1"}),
            ("kind=is_corrected", set()),
            ("shift=night", {"r-2"}),
            ("table=bac-1&from=2026-11-10", {"r-1", "r-2"}),
            ("to=2026-11-09", set()),
            ("dealer=d-9", set()),
        ],
    )
    def test_selects_rounds(self, auditor: Client, query: str, found: set[str]) -> None:
        """By what happened, where and when."""
        open_table()
        arrive(
            dealt("r-1", NOON, dealer="d-1", incident="malfunction"),
            dealt("r-2", NOON.replace(minute=5), shift="night", held=True),
        )
        settle_at()
        count_recent_hours(at=NOON)

        words = plain(auditor, f"{ERRORS}?{query}")

        assert {name for name in ("r-1", "r-2") if f" {name} " in words} == found


class TestTheWords:
    @pytest.mark.parametrize(
        ("chance", "text"),
        [
            (0.4, "2.5"),
            (0.05, "20"),
            (1 / 1936, "1,900"),
            (1e-9, "over 1,000,000"),
        ],
    )
    def test_have_a_chance_in_two_digits(self, chance: float, text: str) -> None:
        """More would suggest a precision that the comparison lacks."""
        assert one_in(chance) == text

    def test_are_a_sentence(self, table: Table) -> None:
        """For each kind of result."""
        dealt_by("d-few", 20, 1, table=table)

        rates = {rate.name: rate for rate in error_rates(By.DEALER, Scope(DAY, DAY))}

        assert comparison_of(rates["d-few"]) == (
            "1 error in 20 rounds; 0.0 expected. Too few rounds for a comparison."
        )
        assert comparison_of(rates["d-2"]) == (
            "1 error in 1,000 rounds; 1.1 expected. Not more than the others at the same tables."
        )
