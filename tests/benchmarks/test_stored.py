"""A filled database resembles a real one in its keys, dates and query plans."""

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from django.db import connection
from django.db.models import Count, Max, Min
from django.utils import timezone

from benchmarks.data.feeds import MIX_TABLES, Feeds
from benchmarks.data.stored_months import Stored
from compliance.storage.partitions import partitioned_tables
from compliance.trail.models import AuditBatch, AuditRecord
from payouts.ledger.models import Transfer
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round, RoundName, Validation
from rounds.row_mapping import milliseconds_of
from tests.casino_in_play import ingest, open_tables, settle

ROUNDS: Final = 80
COPIES: Final = 5


@pytest.fixture
def later(fresh_casino: str, tmp_path: Path) -> list[bytes]:
    """The second half of a small mix of all games, of which the first half is settled."""
    open_tables(at=timezone.now(), each=MIX_TABLES)
    feed = Feeds(tmp_path).mix(rounds=ROUNDS).read_bytes().splitlines()
    ingest(feed[: len(feed) // 2])
    settle()
    return feed[len(feed) // 2 :]


class TestAFilledDatabase:
    @pytest.mark.slow
    def test_has_every_row_of_a_round_once_more_for_each_copy(self, later: list[bytes]) -> None:
        """The rows of a round are found from the models, so new tables are included."""
        models = (
            *(Round, RoundName, Bet, Validation),
            *(Settlement, BetSettlement, Transfer, AuditRecord, AuditBatch),
        )
        before = [model._default_manager.count() for model in models]
        stored = Stored()

        stored.fill(bets=stored.bets * (1 + COPIES))

        after = [model._default_manager.count() for model in models]
        assert after == [count * (1 + COPIES) for count in before]
        assert stored.bets == Bet.objects.count()

    @pytest.mark.slow
    def test_has_the_copies_in_the_partitions_of_their_months(self, later: list[bytes]) -> None:
        """None is in a default partition."""
        stored = Stored()

        stored.fill(bets=stored.bets * (1 + COPIES))

        tables = [*partitioned_tables()]
        assert tables
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"SELECT count(*) FROM {table}_other")
                assert cursor.fetchone() == (0,), table

    @pytest.mark.slow
    def test_gives_every_copy_the_time_of_its_id(self, later: list[bytes]) -> None:
        """RFC 9562: the first 48 bits of a version 7 UUID are milliseconds since 1970."""
        stored = Stored()

        stored.fill(bets=stored.bets * (1 + COPIES))

        for identity, opened_at in Round.objects.values_list("id", "opened_at"):
            assert identity.int >> 80 == milliseconds_of(opened_at)
        times = Round.objects.aggregate(first=Min("opened_at"), last=Max("opened_at"))
        assert times["last"] - times["first"] > timedelta(days=170)

    @pytest.mark.slow
    def test_has_copies_with_all_their_bets(self, later: list[bytes]) -> None:
        """As many bets as each round states."""
        stored = Stored()

        stored.fill(bets=stored.bets * (1 + COPIES))

        counted = dict(
            Bet.objects.values_list("round_id").annotate(bets=Count("number")).order_by()
        )
        assert counted == dict(Round.objects.filter(bet_count__gt=0).values_list("id", "bet_count"))

    @pytest.mark.slow
    def test_can_be_filled_repeatedly(self, later: list[bytes]) -> None:
        """Growth is measured in one database at several sizes."""
        stored = Stored()
        stored.fill(bets=stored.bets * 2)

        stored.fill(bets=stored.bets * 2)

        assert Bet.objects.count() == stored.bets
        assert Round.objects.values("reference").distinct().count() == Round.objects.count()

    @pytest.mark.slow
    def test_ingests_and_settles_further_rounds(self, later: list[bytes]) -> None:
        """Copies do not lie between two rounds of an open shoe."""
        stored = Stored()
        stored.fill(bets=stored.bets * (1 + COPIES))

        ingest(later)
        settled_batch = settle()

        assert settled_batch.settled > 0
        assert settled_batch.held == 0
