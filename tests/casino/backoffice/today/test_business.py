"""The business of the last days on *Today*, corrections included."""

import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from casino.backoffice.today.business import DAYS, Bar, Business, bars_of, last_days
from payouts.settlement.models import DailyRounds
from rounds.formatting import percent
from rounds.models import Table
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.listed_rounds import round_at
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import balance, resettle, void
from tests.rounds.contract.by_hand import NO_MATTER, QB, bet, deal

TODAY = date(2026, 11, 21)
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"


@pytest.fixture
def played() -> None:
    """Two rounds of 22.00 staked and 25.00 paid, and a held one."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), held_baccarat_round("r-3")))
    settle()


def texts(page: str, heading: str) -> list[list[str]]:
    """The texts of the table's cells, row by row, without headings."""
    table = page[page.index(f'id="{heading}"') :].split("</table>", 1)[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in cells]


@pytest.mark.django_db
@pytest.mark.usefixtures("played")
class TestTheBusinessOfADay:
    def test_is_that_of_its_settled_rounds(self) -> None:
        """44.00 staked, 50.00 paid, a gross win of -6.00; the held round does not count."""
        business = last_days(TODAY)

        assert business.games == [("Live Baccarat", Business(2, 0, 4400, 0, 5000))]
        assert business.today.gross_win_cents == -600
        assert business.today.margin == Fraction(-3, 22)

    def test_follows_a_void(self) -> None:
        """r-1 pays 22.00 instead of 25.00 and counts as void."""
        void("r-1", after=1)

        assert last_days(TODAY).today == Business(2, 1, 4400, 0, 2200 + 2500)

    def test_follows_a_resettlement(self) -> None:
        """Voided and settled again as before."""
        void("r-1", after=1)
        resettle("r-1", after=2)

        assert last_days(TODAY).today == Business(2, 0, 4400, 0, 5000)

    def test_equals_the_ledger(self) -> None:
        """After a void, too."""
        void("r-1", after=1)

        assert last_days(TODAY).today.gross_win_cents == balance("house") == -300


@pytest.mark.django_db
class TestGoldenChips:
    @pytest.fixture(autouse=True)
    def _raised(self) -> None:
        """A golden 5.00 raised by 5.00 in cash: 20 beats the dealer's 18."""
        open_table("qb-1", "quantum-blackjack/1")
        golden = bet("b1", stake="5.00", raised="5.00", play="D", funding="golden")
        cards = "1:5H D:6S 1:6D D:TC 1:9S D:2D"
        ingest(lines(deal(cards, golden, rules=QB, table="qb-1", multipliers=NO_MATTER)))
        settle()

    def test_are_staked_apart_and_what_they_win_is_paid(self) -> None:
        """10.00 won and 5.00 of cash returned; the chip stays with the house."""
        [(_game, figures)] = last_days(_day_played()).games

        assert figures == Business(1, 0, 500, 500, 1500)
        assert figures.gross_win_cents == balance("house", asset="cash") == -1000

    def test_given_back_are_not_paid(self) -> None:
        """A void round pays 5.00 in cash; the chips return as chips."""
        void(after=1)

        [(_game, figures)] = last_days(_day_played()).games

        assert figures == Business(1, 1, 500, 500, 500)


def _day_played() -> date:
    return DailyRounds.objects.get().day


@pytest.mark.django_db
class TestTheLastDays:
    def test_are_fourteen(self) -> None:
        """Days without rounds are zero; an earlier round is left out."""
        open_table()
        ingest(lines(*[round_at(NOON - timedelta(days=back)) for back in (0, 13, 14)]))
        settle()

        days = last_days(TODAY).days

        assert [day.day for day in days] == [TODAY - timedelta(days=back) for back in range(14)]
        assert [day.business.rounds for day in days] == [1, *[0] * 12, 1]
        assert {day.business for day in days[1:-1]} == {Business(0, 0, 0, 0, 0)}

    def test_list_games_of_earlier_days(self) -> None:
        """With zero for today."""
        open_table()
        ingest(lines(round_at(NOON - timedelta(days=1))))
        settle()

        assert last_days(TODAY).games == [("Live Baccarat", Business(0, 0, 0, 0, 0))]

    def test_list_unknown_rule_sets(self) -> None:
        """By their name."""
        table = open_table()
        DailyRounds.objects.create(
            day=TODAY, table=table, rules="faro/7", stripe=0, rounds=3, void_rounds=1
        )

        assert last_days(TODAY).games == [("faro/7", Business(3, 1, 0, 0, 0))]


class TestTheBars:
    def test_of_gains_begin_at_the_left(self) -> None:
        """Without losses the zero line is the left edge."""
        assert bars_of([500, 0, 1000]) == [Bar(0, 500, 0), Bar(0, 0, 0), Bar(0, 1000, 0)]

    def test_of_losses_end_at_the_zero_line(self) -> None:
        """From -1.00 to 3.00 a quarter of the width is left of zero."""
        assert bars_of([300, -100]) == [Bar(250, 750, 250), Bar(0, 250, 250)]

    def test_of_nothing_have_no_width(self) -> None:
        """Days without rounds."""
        assert bars_of([0, 0]) == [Bar(0, 0, 0)] * 2


class TestAPercentage:
    @pytest.mark.parametrize(
        ("part", "words"),
        [
            (Fraction(9929, 10_000), f"99,29{NO_BREAK}%"),
            (Fraction(-3, 22), f"{MINUS}13,64{NO_BREAK}%"),
            (Fraction(25), f"2.500,00{NO_BREAK}%"),
            (None, "\N{EN DASH}"),
        ],
    )
    def test_has_two_decimals(self, part: Fraction | None, words: str) -> None:
        """-3/22 is -13.636 %."""
        with translation.override("it"):
            assert percent(part) == words


def play_today() -> None:
    """Two rounds at noon of the current day: 10.00 on Player win 10.00 each."""
    noon = timezone.localtime().replace(hour=12, minute=0, second=0, microsecond=0)
    times = [(noon + timedelta(minutes=number)).astimezone(UTC) for number in range(2)]
    ingest(lines(*map(round_at, times)))
    settle()


class TestThePage:
    def test_shows_games_their_sum_and_every_day_as_text(self, supervisor: Client) -> None:
        """20.00 staked and 40.00 paid are a loss of 100 %."""
        open_table()
        play_today()

        page = supervisor.get("/admin/").content.decode()

        loss = f"{MINUS}20.00"
        row = ["2", "0", "20.00", "0.00", "40.00", loss, f"{MINUS}100.00{NO_BREAK}%"]
        assert texts(page, "by-game") == [["Live Baccarat", *row], ["All games", *row]]
        days = texts(page, "by-day")
        assert [day[1:] for day in days] == [
            ["2", "20.00", loss, ""],
            *[["0", "0.00", "0.00", ""]] * 13,
        ]

    def test_is_italian(self, supervisor: Client) -> None:
        """Headings and numbers."""
        supervisor.cookies["django_language"] = "it"
        open_table()
        play_today()

        page = supervisor.get("/admin/").content.decode()

        assert "Margine lordo" in page
        assert texts(page, "by-game")[-1][-2:] == [f"{MINUS}20,00", f"{MINUS}100,00{NO_BREAK}%"]

    def test_draws_bars_with_unlocalised_numbers(self, supervisor: Client) -> None:
        """A loss ends at the zero line."""
        supervisor.cookies["django_language"] = "it"
        open_table()
        play_today()

        page = page_html(supervisor.get("/admin/"))

        assert '<rect x="0" y="3" width="1000" height="4"/><path d="M1000 0v10"/>' in page

    def test_has_a_text_without_rounds(self, supervisor: Client) -> None:
        """Instead of a chart."""
        page = supervisor.get("/admin/").content.decode()

        assert "No settled rounds in this period." in page
        assert 'id="by-day"' not in page

    def test_takes_a_constant_number_of_queries(self, supervisor: Client) -> None:
        """One query reads the totals."""
        open_table()
        play_today()
        cache.clear()  # of the half hours, which another test's minute may end within this one
        with CaptureQueriesContext(connection) as few:
            supervisor.get("/admin/")

        for number, rules in enumerate(("blackjack/1", "zappit-blackjack/1", "faro/7")):
            _add_days(open_table(f"t-{number}", rules))
        cache.clear()
        with CaptureQueriesContext(connection) as many:
            supervisor.get("/admin/")

        assert len(many) == len(few)
        assert len([query for query in many if "payouts_dailybets" in query["sql"]]) == 1

    @pytest.mark.django_db
    def test_hides_totals_without_permission(self, client: Client) -> None:
        """For a role that only sees rounds."""
        guest = User.objects.create_user("guest", is_staff=True)
        seer = Group.objects.create(name="seer")
        seer.permissions.add(Permission.objects.get(codename="view_round"))
        guest.groups.add(seer)
        give_phone(guest)
        client.force_login(guest)

        page = client.get("/admin/").content.decode()

        assert 'class="counts"' in page
        assert 'id="by-game"' not in page


def _add_days(table: Table) -> None:
    today = timezone.localdate()
    DailyRounds.objects.bulk_create(
        DailyRounds(
            day=today - timedelta(days=back),
            table=table,
            rules=table.rules,
            stripe=0,
            rounds=1,
            void_rounds=0,
        )
        for back in range(DAYS)
    )
