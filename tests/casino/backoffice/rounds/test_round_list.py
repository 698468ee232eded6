"""The list of rounds: search, filters and pages, at a constant cost."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.backoffice.site.keyset_paging import SIZE
from rounds.models import Round
from tests.casino.backoffice.conftest import page_of, person
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.listed_rounds import LIST, round_at, shown
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines

_FIRST = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def play(count: int) -> None:
    """Settles this many rounds, one per minute."""
    ingest(lines(*[round_at(_FIRST + timedelta(minutes=number)) for number in range(count)]))
    settle()


class TestEveryPage:
    def test_takes_a_constant_number_of_queries(self, supervisor: Client) -> None:
        """For few rounds and for many."""
        open_table()
        play(2)
        with CaptureQueriesContext(connection) as few:
            supervisor.get(LIST)

        ingest(lines(*[round_at(_FIRST + timedelta(hours=2, minutes=n)) for n in range(70)]))
        settle()
        with CaptureQueriesContext(connection) as many:
            response = supervisor.get(LIST)

        assert len(shown(response)) == SIZE
        assert len(many) == len(few)
        counts = [query["sql"] for query in many if "COUNT(" in query["sql"].upper()]
        assert [sql for sql in counts if "notifications_notification" not in sql] == []
        assert not [query for query in many if " OFFSET " in query["sql"].upper()]

    def test_are_without_gaps(self, supervisor: Client) -> None:
        """70 rounds on pages of 50 and 20, forwards and backwards."""
        open_table()
        play(70)

        first = supervisor.get(LIST)
        older = re.search(r'rel="next" href="([^"]+)"', page_html(first))
        assert older is not None
        second = supervisor.get(LIST + older[1])
        newer = re.search(r'rel="prev" href="([^"]+)"', page_html(second))
        assert newer is not None
        back = supervisor.get(LIST + newer[1])

        newest_first = list(Round.objects.order_by("-id").values_list("reference", flat=True))
        assert shown(first) + shown(second) == newest_first
        assert shown(back) == shown(first)


class TestASearch:
    @pytest.mark.parametrize(
        "text",
        [
            "r-20-211010",
            "M-session-of-the-one",
            "N-of-the-one",
            "p-of-the-one",
            "#21:10:10",
            "21:10:10",
            "#21:10:10 2026-11-20",
            "#21:10:10 20/11/2026",
            "  r-20-211010 ",
        ],
    )
    def test_opens_the_only_round_that_it_finds(self, supervisor: Client, text: str) -> None:
        """By reference, AAMS session, participation, customer or game code."""
        open_table()
        searched = round_at(
            datetime(2026, 11, 20, 21, 10, 10, tzinfo=UTC), session="M-session-of-the-one"
        )
        searched["bets"][0].update(participation="N-of-the-one", player="p-of-the-one")
        ingest(lines(searched, round_at(datetime(2026, 11, 20, 21, 10, 11, tzinfo=UTC))))

        response = supervisor.get(LIST, {"q": text})

        assert response.status_code == 302
        assert response["Location"] == page_of("r-20-211010")

    def test_by_game_code_reads_gmt(self, supervisor: Client) -> None:
        """[BJ] Codice partita: the code is in GMT, not in local time."""
        open_table()
        ingest(lines(round_at(datetime(2026, 11, 20, 21, 10, 10, tzinfo=UTC))))

        response = supervisor.get(LIST, {"q": "#22:10:10"})

        assert shown(response) == []
        assert "No matching rounds" in page_html(response)

    def test_by_game_code_alone_finds_the_same_second_of_every_day(
        self, supervisor: Client
    ) -> None:
        """A code without a day matches every day."""
        open_table()
        moment = datetime(2026, 11, 18, 21, 10, 10, 500_000, tzinfo=UTC)
        ingest(lines(*[round_at(moment + timedelta(days=day)) for day in range(3)]))

        every_day = supervisor.get(LIST, {"q": "#21:10:10"})
        one_day = supervisor.get(LIST, {"q": "#21:10:10 2026-11-19"})

        assert shown(every_day) == ["r-20-211010", "r-19-211010", "r-18-211010"]
        assert one_day.status_code == 302

    def test_by_game_code_alone_has_no_twenty_fifth_hour(self, supervisor: Client) -> None:
        """25:00:00 is invalid, not one o'clock of the next day."""
        open_table()
        moment = datetime(2026, 11, 19, 1, 0, tzinfo=UTC)
        ingest(lines(*[round_at(moment + timedelta(days=day)) for day in range(2)]))

        assert shown(supervisor.get(LIST, {"q": "#01:00:00"})) == ["r-20-010000", "r-19-010000"]
        assert shown(supervisor.get(LIST, {"q": "#25:00:00"})) == []

    @pytest.mark.parametrize("text", ["#25:00:00", "#09:00:00 2026-02-31", "%", "\x00", "'"])
    def test_for_nothing_that_exists_finds_nothing(self, supervisor: Client, text: str) -> None:
        """No error, and an empty list."""
        open_table()
        play(1)

        response = supervisor.get(LIST, {"q": text})

        assert (response.status_code, shown(response)) == (200, [])


class TestTheFilters:
    def test_by_status_list_matching_rounds(self, supervisor: Client) -> None:
        """Settled, held, void and waiting."""
        open_table()
        ingest(
            lines(
                baccarat_round("r-settled"),
                held_baccarat_round("r-held"),
                baccarat_round("r-void", incident="malfunction"),
            )
        )
        settle()
        ingest(lines(baccarat_round("r-waiting")))

        shown_by_status = {
            status: shown(supervisor.get(LIST, {"status": status}))
            for status in ("settled", "held", "void", "waiting")
        }

        assert shown_by_status == {
            status: [f"r-{status}"] for status in ("settled", "held", "void", "waiting")
        }

    def test_by_day_reads_days_of_rome(self, supervisor: Client) -> None:
        """23:30 GMT is the next day in Europe/Rome."""
        open_table()
        ingest(
            lines(
                round_at(datetime(2026, 11, 20, 22, 30, tzinfo=UTC)),
                round_at(datetime(2026, 11, 20, 23, 30, tzinfo=UTC)),
            )
        )

        on_the_20th = supervisor.get(LIST, {"from": "2026-11-20", "to": "2026-11-20"})
        from_the_21st = supervisor.get(LIST, {"from": "2026-11-21"})

        assert shown(on_the_20th) == ["r-20-223000"]
        assert shown(from_the_21st) == ["r-20-233000"]

    def test_by_day_keep_rounds_of_a_clock_before_1970_apart(self, supervisor: Client) -> None:
        """Also for rounds dated before 1970."""
        open_table()
        ingest(
            lines(
                round_at(datetime(2026, 11, 20, 12, 0, tzinfo=UTC)),
                round_at(datetime(1969, 7, 20, 20, 17, tzinfo=UTC)),
                round_at(datetime(1950, 1, 2, 3, 4, tzinfo=UTC)),
            ),
            arrival=Unchecked(NOW),
        )

        shown_by_days = {
            (start, end): shown(supervisor.get(LIST, {"from": start, "to": end}))
            for start, end in [
                ("2026-11-20", ""),
                ("1969-07-20", "1970-01-01"),
                ("", "1969-01-01"),
                ("", "1969-12-31"),
                ("", "1970-01-01"),
            ]
        }

        assert {window: set(rounds) for window, rounds in shown_by_days.items()} == {
            ("2026-11-20", ""): {"r-20-120000"},
            ("1969-07-20", "1970-01-01"): {"r-20-201700"},
            ("", "1969-01-01"): {"r-02-030400"},
            ("", "1969-12-31"): {"r-02-030400", "r-20-201700"},
            ("", "1970-01-01"): {"r-02-030400", "r-20-201700"},
        }

    def test_by_table_keep_that_table(self, supervisor: Client) -> None:
        """Of two tables."""
        open_table("bac-1")
        open_table("bac-2")
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2", table="bac-2")))

        assert shown(supervisor.get(LIST, {"table": "bac-2"})) == ["r-2"]


class TestAPersonWithoutThePermission:
    def test_sees_no_rounds(self, client: Client, db: None) -> None:
        """Administrators are answered 403."""
        open_table()
        play(1)
        client.force_login(person("administrator"))

        assert client.get(LIST).status_code == 403
        assert client.get(page_of("r-20-090000")).status_code == 403
        assert "r-20-090000" not in page_html(client.get("/admin/"))
