"""Rounds at the limits of the calendar are stored, settled, found and shown."""

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils import translation

from casino.backoffice.lists.filters import midnight_of
from casino.backoffice.templatetags.display import clock
from rounds.formatting import moment
from rounds.models import Round
from tests.casino.backoffice.conftest import page_of
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines

LIST = "/admin/rounds/round/"
_ENDS = {
    "the first second of the calendar": ("0001-01-01T00:00:0", "1 Jan 0001", "#00:00:00"),
    "before 1970": ("1969-12-31T23:59:5", "1 Jan 1970", "#23:59:50"),
    "the last second of the calendar": ("9999-12-31T23:59:5", "31 Dec 9999", "#23:59:50"),
}


@pytest.mark.parametrize(("minute", "day", "code"), _ENDS.values(), ids=_ENDS)
class TestARoundAtTheEndOfTime:
    def test_is_stored_settled_found_and_shown(
        self, supervisor: Client, minute: str, day: str, code: str
    ) -> None:
        """Earlier releases accepted any date."""
        open_table()
        times = {"opened_at": f"{minute}0Z", "closed_at": f"{minute}5Z", "ended_at": f"{minute}9Z"}
        bets = [baccarat_bet("b1", "player", "10.00", placed_at=f"{minute}3Z")]
        then = baccarat_round("r-then", **times, bets=bets)
        ingest(lines(baccarat_round("r-now"), then), arrival=Unchecked(NOW))
        settle()

        page = supervisor.get(page_of("r-then")).content.decode()
        listed = supervisor.get(LIST).content.decode()
        date = f"{Round.objects.get(reference='r-then').opened_at:%Y-%m-%d}".zfill(10)
        by_code = supervisor.get(LIST, {"q": code})
        by_day = supervisor.get(LIST, {"q": f"{code} {date}"})

        assert f"Round {code}" in page
        assert day in page
        assert re.findall(r'data-field="paid">([^<]+)<', page) == ["€20.00"]
        assert re.findall(r'class="mono muted">(r-[^<]+)<', listed).count("r-then") == 1
        assert by_code["Location"] == by_day["Location"] == page_of("r-then")


class TestAMomentRomeHasNoDayFor:
    def test_is_written_as_it_is_in_utc(self) -> None:
        """In Europe/Rome it is the year 10000, which Python cannot represent."""
        end = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

        with translation.override("en"):
            assert (moment(end, "s"), clock(end)) == (
                "31 Dec 9999, 23:59:59\N{NO-BREAK SPACE}UTC",
                "23:59:59\N{NO-BREAK SPACE}UTC",
            )

    def test_is_no_day_to_filter_by_after_the_last(self) -> None:
        """The filter is open-ended."""
        assert midnight_of(date(9999, 12, 31), days_later=1) is None
