"""Figures by hour, dealer, shift and location."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest
from django.db import connection

from compliance.monitoring.counting.dealing import (
    OF_DEALING,
    hours_between,
    keys_of_hour,
)
from compliance.monitoring.latency import Latency, latency_histograms, seconds_of
from compliance.monitoring.models import (
    CountedHour,
    DealingError,
    HourlyDealing,
    HourlyLatency,
)
from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.count_hours import (
    count_earlier_hours,
    count_recent_hours,
)
from compliance.monitoring.shift_totals import shift_totals
from payouts.cases.remedies import Remedy
from payouts.settlement.models import Settlement
from rounds.gaming_day import begin_of_day, end_of_day
from rounds.models import Round, Validation
from rounds.rules.ruling import Ruling
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.monitoring.dealt_rounds import FIRST, simulated
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.cases.case_scenarios import decided
from tests.payouts.gaming_days.day_scenarios import DAY, NOON, arrive, dealt, settle_at
from tests.payouts.settlement.resettlement_scenarios import void

ANNA: Final = {"dealer": "d-1", "shift": "evening", "location": "Riga"}
MINUTE: Final = timedelta(minutes=1)


def played(reference: str, minutes: int, **fields: Any) -> dict[str, Any]:
    """A round of Anna's, so many minutes after noon."""
    return dealt(reference, NOON + minutes * MINUTE, **ANNA | fields)


def count(at: datetime = NOON + timedelta(hours=2)) -> int:
    """Counts the changed hours."""
    return count_recent_hours(at=at)


class Plans:
    """Collects the plans of the statement that reads an hour, as they are in its transaction."""

    def __init__(self) -> None:
        self.of_hours: list[str] = []

    def __call__(self, execute: Any, statement: str, params: Any, many: bool, context: Any) -> Any:
        """Executes the statement, after asking for its plan."""
        head, table, select = statement.partition(
            "TEMPORARY TABLE monitoring_dealt ON COMMIT DROP AS"
        )
        if table and "CREATE" in head:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {select}", params)
                self.of_hours.append("\n".join(line for (line,) in cursor.fetchall()))
        return execute(statement, params, many, context)


@pytest.mark.django_db
class TestAnHour:
    @pytest.fixture(autouse=True)
    def _table(self) -> None:
        open_table()

    def test_counts_rounds_and_money_by_who_dealt(self) -> None:
        """22.00 staked and 25.00 paid each; one round states nobody."""
        arrive(played("r-1", 0), played("r-2", 1), dealt("r-3", NOON + 2 * MINUTE))
        settle_at()

        assert count() == 1

        rows = HourlyDealing.objects.order_by("dealer").values_list(
            *("hour", "dealer", "shift", "location", "rounds", "staked_cents", "payout_cents")
        )
        assert list(rows) == [
            (NOON, "", "", "", 1, 2200, 2500),
            (NOON, "d-1", "evening", "Riga", 2, 4400, 5000),
        ]

    def test_is_read_by_no_loop_over_its_rounds(self) -> None:
        """Although PostgreSQL expects few of them: its statistics are from before the hour."""
        arrive(*(played(f"r-{number}", number - 200) for number in range(40)))
        settle_at()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        arrive(*(played(f"r-new-{number}", number) for number in range(20)))
        settle_at()

        with connection.execute_wrapper(plans := Plans()):
            counted = count()

        assert [plan for plan in plans.of_hours if "Nested Loop" in plan] == []
        assert len(plans.of_hours) == counted > 1

    def test_is_left_to_the_worker_that_is_at_it(self) -> None:
        """Workers that wait for one that takes long settle nothing."""
        arrive(played("r-1", 0))
        settle_at()
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_lock(hashtextextended(%s, 0))",
                [f"monitoring:{NOON.isoformat()}"],
            )

        meanwhile = count()
        other.close()

        assert (meanwhile, count()) == (0, 1)

    def test_counts_each_kind_of_error(self) -> None:
        """A round can have several; what is as it should be lies between them."""
        arrive(
            played("r-broken", 0, incident="malfunction"),
            played("r-2", 1),
            played("r-void", 2),
            played("r-4", 3),
            played("r-held", 4, held=True),
        )
        settle_at()
        void("r-void", after=1)

        count()

        row = HourlyDealing.objects.get()
        assert (row.rounds, row.errors, row.error_rounds) == (5, 3, 3)
        assert (row.malfunctions, row.void_rounds, row.implausible, row.corrected) == (1, 2, 1, 0)
        errors = DealingError.objects.order_by("round").values_list("round__reference", "is_void")
        assert list(errors) == [("r-broken", True), ("r-void", True), ("r-held", False)]

    def test_counts_what_follows_an_error_with_it(self) -> None:
        """A table that fails spoils three rounds: one error."""
        broken = (played(f"r-{n}", n, incident="malfunction") for n in range(3))
        arrive(*broken, played("r-3", 3), played("r-4", 4, incident="malfunction"))
        settle_at()

        count()

        row = HourlyDealing.objects.get()
        assert (row.errors, row.error_rounds) == (2, 4)

    def test_does_not_count_what_persons_at_the_table_do_not_do(self) -> None:
        """A payout that the studio computed otherwise holds the round as well."""
        bets = [baccarat_bet("b1", "player", "10.00", reported="7.00")]
        ingest(lines(baccarat_round("r-1", bets=bets, **ANNA)))
        settle()

        count(at=datetime(2026, 11, 21, 22, tzinfo=UTC))

        assert Validation.objects.get().anomalies == ["payout-differs"]
        assert "payout-differs" not in OF_DEALING
        assert HourlyDealing.objects.get().errors == 0

    def test_counts_corrected_rounds(self) -> None:
        """Misread: the last card was another."""
        arrive(played("r-1", 0), played("r-2", 1))
        settle_at()
        cards = (("P", "4S"), ("B", "7H"), ("P", "5D"), ("B", "2C"))
        decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=Ruling(cards=cards))

        count()

        row = HourlyDealing.objects.get()
        assert (row.errors, row.corrected) == (1, 1)
        assert DealingError.objects.get().is_corrected

    def test_is_counted_again_when_a_round_changes(self) -> None:
        """A void, a late round; nothing otherwise."""
        arrive(played("r-1", 0))
        settle_at()
        assert [count(), count()] == [1, 0]

        void("r-1", after=1)
        assert [count(), count()] == [1, 0]
        arrive(played("r-2", 1))
        assert [count(), count()] == [1, 0]

        row, hour = HourlyDealing.objects.get(), CountedHour.objects.get()
        assert (row.rounds, row.settled_rounds, row.void_rounds) == (2, 1, 1)
        assert (hour.rounds, hour.settlements, hour.held) == (2, 2, 0)

    def test_of_the_past_is_counted_with_its_day(self) -> None:
        """Later than two days the monitor counts it at night."""
        arrive(played("r-1", 0))
        settle_at()
        assert count(at=NOON + timedelta(days=3)) == 0

        count_days()

        assert HourlyDealing.objects.get().rounds == 1

    def test_of_a_day_counted_by_an_earlier_release_is_added(self) -> None:
        """Once."""
        arrive(played("r-1", 0))
        settle_at()
        count_days()
        for model in (CountedHour, HourlyDealing, HourlyLatency):
            model.objects.all().delete()

        assert [count_earlier_hours(), count_earlier_hours()] == [1, 0]
        assert HourlyDealing.objects.get().rounds == 1

    def test_has_the_time_from_arrival_to_settlement(self) -> None:
        """One, two and sixteen seconds; what persons decided is left out."""
        for number, seconds in enumerate((1, 2, 16)):
            arrive(played(f"r-{number}", number), at=NOON + timedelta(minutes=10))
            settle_at(NOON + timedelta(minutes=10, seconds=seconds))

        count()

        [(key, histogram)] = latency_histograms(DAY, DAY).items()
        latency = Latency([histogram])
        assert key == ("bac-1", "baccarat/1", "evening")
        assert [seconds_of(bucket) for bucket in sorted(histogram)] == pytest.approx(
            [1, 2, 16], rel=0.09
        )
        assert latency.median_seconds == pytest.approx(2, rel=0.09)
        assert latency.most_seconds == pytest.approx(16, rel=0.09)

    def test_has_no_time_of_rounds_that_wait(self) -> None:
        """Neither held nor unsettled."""
        arrive(played("r-1", 0, held=True))
        settle_at()
        arrive(played("r-2", 1))

        count()

        assert HourlyDealing.objects.get().rounds == 2
        assert latency_histograms(DAY, DAY) == {}
        assert Latency([]).median_seconds is None


class TestHours:
    @pytest.mark.parametrize("day", [date(1970, 1, 1), date(2026, 3, 29), date.max])
    def test_of_a_day_have_the_ids_of_their_rounds_once(self, day: date) -> None:
        """Of the first day, with rounds before 1970, of one with 23 hours, and of the last."""
        hours = hours_between(begin_of_day(day), end_of_day(day))

        ranges = [keys_of_hour(hour) for hour in hours]
        ends = [keys.end for keys in ranges[:-1]]
        assert ends == [keys.first for keys in ranges[1:]]
        assert hours[0] >= datetime(1970, 1, 1, tzinfo=UTC)
        assert len(hours) in {23, 25}


@pytest.mark.django_db
@pytest.mark.slow
def test_a_simulated_casino_has_the_money_of_its_settlements() -> None:
    """Golden chips apart, as the stakes of the bets say."""
    simulated("mega-fire-blaze", "quantum", rounds=150, faults=0.2)
    count(at=FIRST + timedelta(hours=20))

    totals = list(shift_totals(FIRST.date(), FIRST.date()))

    first = Settlement.objects.filter(sequence=1)
    assert sum(total.rounds for total in totals) == first.count()
    assert sum(total.staked_cents for total in totals) == sum(row.staked_cents for row in first)
    assert sum(total.payout_cents for total in totals) == sum(row.payout_cents for row in first)
    chips = sum(
        bet.stake_cents
        for row in Round.objects.filter(settlements__isnull=False)
        for bet in row.bets.filter(golden=True)
    )
    assert sum(total.staked_chips_cents for total in totals) == chips > 0
    assert {total.shift for total in totals} <= {"night", "morning", "evening"}
