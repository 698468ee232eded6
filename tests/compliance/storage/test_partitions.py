"""Tables partitioned by month: created ahead, complete, append-only in every partition."""

from datetime import UTC, date, datetime
from io import StringIO
from uuid import UUID

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from compliance.storage.partitions import (
    Month,
    make_months,
    months_around,
    months_between,
    months_of,
    partitioned_tables,
    rows_outside,
)
from compliance.trail.tasks import make_months_task
from rounds.arrival import Arrival
from rounds.identity import round_id
from rounds.models import Round
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_round, lines


def ingest_round_of(moment: str, *, arrival: Arrival | None = None) -> None:
    """Ingests a round at this moment."""
    open_table()
    document = baccarat_round("r-1", opened_at=moment, closed_at=moment, ended_at=moment)
    document["bets"] = [{**bet, "placed_at": moment} for bet in document["bets"]]
    ingest(lines(document), arrival=arrival)


def ingest_round_of_1970() -> None:
    """A round of 1970, as an older release stored it."""
    ingest_round_of("1970-01-02T00:00:00.000Z", arrival=Unchecked(NOW))


class TestAMonth:
    def test_begins_with_its_first_millisecond(self) -> None:
        """Round ids sort accordingly."""
        first = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp() * 1000)
        key = Month(2026, 11).first_key

        assert round_id(reference="r", opened_at=first - 1) < key
        assert key < round_id(reference="r", opened_at=first)
        assert UUID(int=first << 80) == key

    def test_follows_december_in_january(self) -> None:
        """In both directions."""
        assert list(months_between(Month(2025, 11), Month(2026, 2))) == [
            Month(2025, 11),
            Month(2025, 12),
            Month(2026, 1),
            Month(2026, 2),
        ]
        assert Month(2026, 1).plus(-1) == Month(2025, 12)

    def test_is_made_three_months_ahead(self) -> None:
        """On the 21st of November 2026: from September to February."""
        months = list(months_around(date(2026, 11, 21)))

        assert (months[0], months[-1], len(months)) == (Month(2026, 9), Month(2027, 2), 6)


@pytest.mark.django_db
class TestTheTablesOfFacts:
    def test_are_partitioned(self) -> None:
        """The list follows from the models."""
        assert set(partitioned_tables()) >= {
            "payouts_betsettlement",
            "payouts_settlement",
            "payouts_transfer",
            "rounds_bet",
            "rounds_round",
            "rounds_validation",
            "trail_auditbatch",
            "trail_auditrecord",
        }

    def test_keep_a_round_of_a_year_that_has_no_month(self) -> None:
        """A round of 1970 is settled like any other."""
        ingest_round_of_1970()

        assert settle().settled == 1
        assert rows_outside("rounds_round") == 1

    def test_keep_a_round_of_a_month_without_a_partition(self) -> None:
        """It is stored in the default partition."""
        ingest_round_of("2099-02-03T10:00:00.000Z")

        assert settle().settled == 1
        assert rows_outside("rounds_round") == 1

    def test_get_a_requested_month_once(self) -> None:
        """A second request creates nothing."""
        month = Month(2031, 2)

        assert make_months("rounds_bet", [month]) == [month]
        assert make_months("rounds_bet", [month]) == []
        assert month in months_of("rounds_bet")

    def test_go_on_when_a_month_came_too_late(self) -> None:
        """Its rows stay in the default partition."""
        ingest_round_of_1970()

        partitions = make_months("rounds_round", [Month(1970, 1), Month(2031, 2)])

        assert partitions == [Month(2031, 2)]
        assert Round.objects.count() == 1

    @pytest.mark.parametrize(
        "change", ["TRUNCATE {}", "DELETE FROM {}", "UPDATE {} SET number = 0"]
    )
    def test_guard_a_month_that_was_made_later(self, change: str) -> None:
        """The partition has the triggers."""
        make_months("rounds_bet", [Month(2031, 2)])
        ingest_round_of("2031-02-03T10:00:00.000Z")

        with (
            pytest.raises(DatabaseError, match="pgtrigger: Cannot"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change.format("rounds_bet_2031_02"))

    def test_get_missing_partitions_every_night(self) -> None:
        """The task creates missing partitions."""
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE rounds_validation_2027_01")

        make_months_task()

        assert Month(2027, 1) in months_of("rounds_validation")


@pytest.mark.django_db
class TestTheCommand:
    def test_makes_the_years_of_an_import(self) -> None:
        """Before the rounds are ingested."""
        output = StringIO()

        call_command("months", "--from", "2021-01", "--to", "2021-03", stdout=output)

        assert "rounds_bet: created 3 months" in output.getvalue()
        assert "rounds_bet: 2021-01 to " in output.getvalue()

    def test_rejects_an_invalid_month(self) -> None:
        """With the value found and needed."""
        with pytest.raises(
            CommandError, match='"2021-13" is not a month; needed one such as 2026-11'
        ):
            call_command("months", "--from", "2021-13")


@pytest.mark.django_db
def test_the_triggers_of_every_table_are_up_to_date() -> None:
    """As ``manage.py pgtrigger ls`` says by the digests in their comments."""
    statuses = {
        f"{model._meta.object_name}.{trigger.name}": trigger.get_installation_status(model)
        for model, trigger in pgtrigger.registered()
    }

    assert statuses == dict.fromkeys(statuses, ("INSTALLED", True))
    assert any(name.startswith("Bet.") for name in statuses)
