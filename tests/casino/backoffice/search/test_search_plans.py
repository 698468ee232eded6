"""Searches on a large database use indexes and read few rows."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.test import RequestFactory
from rest_framework.request import Request

from casino.api.query_params import QueryParams
from casino.api.rounds.round_list import PARAMETERS, round_page
from casino.backoffice.lists.list_page import Listing
from casino.backoffice.rounds.round_list import RoundAdmin
from casino.backoffice.rounds.round_page import round_neighbours
from casino.integrations.caller import Caller
from compliance.storage.partitions import Month, make_months, months_between, partitioned_tables
from payouts.settlement.amount_search import MOST_ROUNDS
from rounds.models import Round
from tests.casino.api.api_client import issued
from tests.casino_in_play import open_table
from tests.conftest import NewTemplate

_ROUNDS: Final = 20_000
_MOST_READ: Final = 2_000
"""Rows that one step of a plan may read: a tenth of the table."""
_MONTH: Final = re.compile(r"_([0-9]{4}_[0-9]{2}|other)$")
_BIG: Final = {"rounds_round", "rounds_bet", "rounds_validation", "payouts_settlement"}
_FILL: Final = """
    SET LOCAL session_replication_role = replica;  -- settlements without results
    CREATE TEMP TABLE played ON COMMIT DROP AS
    SELECT n, opened,
           (lpad(to_hex((extract(epoch FROM opened) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid AS id
      FROM (SELECT n, timestamptz '2025-11-21 00:00Z' + n * interval '1576 seconds' AS opened
              FROM generate_series(1, %(rounds)s) AS n) AS spread;
    INSERT INTO rounds_customer (pseudonym) SELECT 'p-' || n FROM generate_series(0, 1999) AS n;
    INSERT INTO rounds_round (id, arrival, reference, rules, rules_digest, opened_at, closed_at,
           ended_at, session, cards, malfunction, bet_count, staked_cents, digest, source,
           received_at, booked_on, table_id)
    SELECT id, n, 'r-' || n, 'baccarat/1', '', opened, opened, opened, 'M-' || n, '{}', false, 2,
           1000 + n, '', 'test', opened, opened::date,
           CASE WHEN n <= 100 THEN %(closed)s ELSE %(table)s END
      FROM played;
    INSERT INTO rounds_roundname (reference, round_id, digest) SELECT 'r-' || n, id, '' FROM played;
    INSERT INTO rounds_bet (round_id, number, reference, participation, kind, stake_cents,
           raised_cents, play, golden, behind, follows, placed_at, customer_id)
    SELECT id, bet, 'b', 'N-' || n || '-' || bet, 'player', CASE bet WHEN 0 THEN 1000 ELSE n END,
           0, '', false, false, false,
           opened, (SELECT min(id) FROM rounds_customer) + n %% 2000
      FROM played, generate_series(0, 1) AS bet;
    INSERT INTO rounds_validation (round_id, sequence, status, anomalies, validated_at, actor)
    SELECT id, 1, CASE WHEN n %% 500 = 0 THEN 'held' ELSE 'validated' END, '{}', opened, 'test'
      FROM played WHERE n <= %(rounds)s - 20;
    INSERT INTO payouts_settlement (round_id, sequence, kind, rules, rules_digest, staked_cents,
           payout_cents, chips_cents, results_digest, settled_at, actor, reason,
           booked_on)
    SELECT id, 1, CASE WHEN n %% 1000 = 1 THEN 'void' ELSE 'settled' END, 'baccarat/1', '',
           1000 + n, CASE WHEN n %% 10 = 0 THEN 5000 ELSE 100000 + n END, 0, '', opened, 'test', '',
           opened::date
      FROM played WHERE n <= %(rounds)s - 20 AND n %% 500 <> 0;
    INSERT INTO rounds_queuedround SELECT id, n, 2, opened, 0, ''
      FROM played WHERE n > %(rounds)s - 20;
    SET LOCAL session_replication_role TO DEFAULT;
    ANALYZE;
"""
_SEARCHES: Final = {
    "q=r-77": 1,
    "q=M-77": 1,
    "q=N-77-1": 1,
    "q=p-77": 10,
    "q=nothing": 0,
    "q=%2300:26:16+2025-11-21": 1,
    "q=%2300:26:16": 2,
    "status=settled": 50,
    "status=void": 20,
    "status=held": 39,
    "status=waiting": 20,
    "table=closed": 50,
    "status=void&table=closed": 1,
    "status=void&from=2025-11-21&to=2025-11-30": 1,
    "q=p-77&status=settled": 10,
    "from=2026-11-10": 50,
    "to=2025-11-22": 50,
    "from=2026-01-05&to=2026-01-05": 50,
    "sort=opened": 50,
    "status=held&sort=-staked": 39,
    "status=void&sort=bets": 20,
}
"""Queries of the list of rounds, and how many of 20,000 rounds its first page shows."""
_AMOUNTS: Final = {
    "amount=199.00": 2,  # staked by a round and by one of its bets, 1,000 rounds later
    "amount=10.77": 1,  # by a round; the bet that staked it is older than the stretch
    "amount=10.77&to=2025-12-31": 2,  # the stretch ends with that day
    "amount=1,007.77": 1,  # paid by a round, which is the 777th
    "amount=50.00": 50,  # paid by every tenth
    "amount=50.00&table=closed": 10,
    "amount=50.00&from=2026-01-05&to=2026-01-05": 4,  # of five, one is held
    "amount=9,999.99": 0,
}
"""The n-th round stakes 10.00 and n cents; it pays 50.00, or 1,000.00 and n cents."""

_LISTED: Final = {
    "": 50,
    "table=closed": 50,
    "table=in-play": 50,
    "rules=baccarat/1": 50,
    "rules=zappit-blackjack/1": 0,
    "rules=zappit-blackjack/1&table=closed": 0,
    "rules=zappit-blackjack/1&opened_since=2026-01-05T00:00:00Z": 0,
    "rules=baccarat/1&table=closed&opened_before=2025-11-22T00:00:00Z": 50,
    "session=M-77": 1,
    "session=M-77&rules=baccarat/1": 1,
    "session=nothing": 0,
    "status=held": 39,
    "status=void&rules=baccarat/1": 20,
    "status=waiting": 20,
    "status=settled": 50,
    "customer=p-77": 10,
    "customer=p-77&rules=zappit-blackjack/1": 0,
    "opened_since=2026-01-05T00:00:00Z&opened_before=2026-01-06T00:00:00Z": 50,
    "sort=opened": 50,
    "sort=received": 50,
    "sort=-received&table=closed&opened_before=2025-11-22T00:00:00Z": 50,
    "received_since=2026-01-05T00:00:00Z&received_before=2026-01-06T00:00:00Z": 50,
    "received_before=2025-11-22T00:00:00Z&sort=received": 50,
    "received_since=2027-01-01T00:00:00Z": 0,
    "sort=-settled": 50,
    "settled_since=2026-01-05T00:00:00Z&settled_before=2026-01-06T00:00:00Z": 50,
    "settled_since=2026-01-05T00:00:00Z&customer=p-77": 0,  # of the 500 facts of a page
    "settled_before=2025-11-21T00:00:00Z": 0,
    "sort=changed": 50,
    "changed_since=2026-01-05T00:00:00Z": 50,
    "changed_since=2026-01-05T00:00:00Z&status=void": 0,
    "changed_since=2027-01-01T00:00:00Z": 0,
}
"""The same of the list that the API gives."""


@pytest.fixture(scope="module")
def filled(casino_template: str, new_template: NewTemplate) -> str:
    """A year of 20,000 rounds with two bets each."""
    return new_template("year", _fill, template=casino_template)


def _fill() -> None:
    for table in partitioned_tables():
        make_months(table, months_between(Month(2025, 11), Month(2026, 11)))
    closed, in_play = open_table("closed"), open_table("in-play")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_FILL, {"rounds": _ROUNDS, "closed": closed.id, "table": in_play.id})


@pytest.fixture
def year(filled: str, copy_of: Callable[[str], str]) -> None:
    """A copy of that database, since a plan depends on the size of its tables.

    After earlier tests had rolled back as many rows, the indexes of a month were larger than it.
    """
    copy_of(filled)


class _Plans:
    """The plan of every query, and what it read of large tables."""

    def __init__(self) -> None:
        self.scans: list[str] = []
        self.most_read = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        with connection.connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
            [[[explained]]] = cursor.fetchall()
        for step in _steps(explained["Plan"]):
            if _MONTH.sub("", step.get("Relation Name", "")) in _BIG:
                self._look_at(step)
        return execute(sql, params, many, context)

    def _look_at(self, step: dict[str, Any]) -> None:
        rows = step["Actual Rows"] + step.get("Rows Removed by Filter", 0)
        if step["Node Type"] == "Seq Scan" and rows:  # a month without rows has nothing to scan
            self.scans.append(step["Relation Name"])
        self.most_read = max(self.most_read, rows * step["Actual Loops"])


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _steps(inner)


@pytest.mark.usefixtures("year")
class TestOnAYearOfRounds:
    @pytest.mark.slow
    def test_every_search_uses_an_index(self, rf: RequestFactory) -> None:
        """No sequential scan of a growing table, and never a tenth of one."""
        rounds = RoundAdmin(Round, admin.site)
        matches, scanned, read = {}, {}, {}

        for query in _SEARCHES:
            request = rf.get(f"/admin/rounds/round/?{query}")
            request.user = AnonymousUser()
            plans = _Plans()
            with connection.execute_wrapper(plans):
                listing = Listing(rounds.spec_for(request), request)
                page, _said = rounds.get_page(request, listing)
            matches[query] = len(page.rows)
            scanned[query] = plans.scans
            read[query] = plans.most_read

        assert matches == _SEARCHES
        assert {query: scans for query, scans in scanned.items() if scans} == {}
        assert {query: rows for query, rows in read.items() if rows > _MOST_READ} == {}

    def test_every_list_of_the_api_uses_an_index(self, rf: RequestFactory) -> None:
        """With any filter, also if few rows match or none.

        The status of a page's rounds may be read month by month, because a month is small.
        """
        caller = Caller(issued().key, address=None)
        matches, scanned, read = {}, {}, {}

        for query in _LISTED:
            call = Request(rf.get(f"/api/v1/rounds?{query}"))
            requested = QueryParams(call, [parameter.name for parameter in PARAMETERS])
            plans = _Plans()
            with connection.execute_wrapper(plans):
                matches[query] = len(round_page(requested, caller).data)
            scanned[query] = [name for name in plans.scans if name.startswith("rounds_round")]
            read[query] = plans.most_read

        assert matches == _LISTED
        assert {query: scans for query, scans in scanned.items() if scans} == {}
        assert {query: rows for query, rows in read.items() if rows > _MOST_READ} == {}

    @pytest.mark.slow
    def test_an_amount_is_searched_by_an_index_in_a_range_of_bets(self, rf: RequestFactory) -> None:
        """No more bets are read than the searched range has."""
        rounds = RoundAdmin(Round, admin.site)
        matches, scanned, read = {}, {}, {}

        for query in _AMOUNTS:
            request = rf.get(f"/admin/rounds/round/?{query}")
            request.user = AnonymousUser()
            plans = _Plans()
            with connection.execute_wrapper(plans):
                listing = Listing(rounds.spec_for(request), request)
                page, _said = rounds.get_page(request, listing)
            matches[query] = len(page.rows)
            scanned[query] = plans.scans
            read[query] = plans.most_read

        assert matches == _AMOUNTS
        assert {query: scans for query, scans in scanned.items() if scans} == {}
        assert {query: rows for query, rows in read.items() if rows > MOST_ROUNDS * 2} == {}

    def test_the_last_round_of_a_closed_table_has_no_successor(self) -> None:
        """By an index of a table's rounds in order."""
        plans = _Plans()
        last = Round.objects.get(reference="r-100")

        with connection.execute_wrapper(plans):
            neighbours = round_neighbours(last)

        earlier = neighbours["earlier"]
        assert earlier is not None
        assert earlier.pk == Round.objects.get(reference="r-99").pk
        assert neighbours["later"] is None
        assert (plans.scans, plans.most_read) == ([], 1)
