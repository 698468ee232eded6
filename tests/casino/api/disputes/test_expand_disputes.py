"""Disputes are listed by time of opening and of their latest step, with case and round."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, own, read, service
from tests.casino.api.studio import ROUNDS, studio
from tests.casino_in_play import NOW, by_now, ingest, settle
from tests.documents import baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import disputed, executed, partly, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]


@pytest.fixture
def three_disputes() -> list[Any]:
    """Opened one day after the other; the first was taken last."""
    ingest(lines(baccarat_round("r-2"), baccarat_round("r-3")))
    settle(at=by_now())
    opened = [disputed(f"r-{number}", at=NOW + timedelta(days=number)) for number in (1, 2, 3)]
    take(opened[0], at=NOW + timedelta(days=4))
    return opened


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("sort=opened", [1, 2, 3]),
        ("sort=-opened", [3, 2, 1]),
        ("opened_since=2026-11-23T22:00:00Z", [3, 2]),
        ("opened_before=2026-11-23T22:00:00Z", [1]),
        ("opened_before=2026-11-24T22:00:00Z&sort=opened", [1, 2]),
        ("sort=changed", [2, 3, 1]),
        ("changed_since=2026-11-24T22:00:00Z", [3, 1]),
        ("changed_since=2026-11-24T22:00:00Z&state=in_review", [1]),
    ],
)
def test_a_time_filters_and_orders(
    three_disputes: list[Any], query: str, expected: list[int]
) -> None:
    """Page by page."""
    listed, program = [], service()
    following: str | None = ""
    while following is not None:
        page = read(program, f"?{query}&limit=1{following}")
        listed += [row["id"] for row in page["data"]]
        following = page["next"] and f"&cursor={page['next']}"

    assert listed == [str(three_disputes[number - 1]) for number in expected]


def test_contains_case_and_round(three_disputes: list[Any]) -> None:
    """As the dispute and the round themselves; the amount of the case is only there."""
    decided = three_disputes[0]
    partly(decided, at=by_now())
    executed(decided)
    program = studio()

    rows = {row["id"]: row for row in read(program, "?expand=case,round")["data"]}

    remedy = read(program, f"/{decided}")["remedy"]
    assert rows[str(decided)]["case"] == {
        name: value for name, value in remedy.items() if not name.endswith("_cents")
    }
    assert [rows[str(other)]["case"] for other in three_disputes[1:]] == [None, None]
    for number, dispute in enumerate(three_disputes, start=1):
        whole = json_of(program.get(f"{ROUNDS}/r-{number}"))
        played = rows[str(dispute)]["played"]
        assert played == {name: whole[name] for name in played}


def test_a_customer_reads_only_the_own_part_of_the_round(three_disputes: list[Any]) -> None:
    """The totals of the customer's bets, as with the round."""
    program, own_dispute = own("p-1"), str(three_disputes[0])

    [row] = [row for row in read(program, "?expand=round")["data"] if row["id"] == own_dispute]

    whole = json_of(program.get(f"{ROUNDS}/r-1"))
    assert row["played"] == {name: whole[name] for name in row["played"]}


@pytest.mark.usefixtures("settled_round", "three_disputes")
def test_a_round_needs_the_scope_to_read_rounds() -> None:
    """The same problem as reading it; the list without it, and the case, need no more."""
    program = service()

    refused = program.get(f"{DISPUTES}?expand=case,round")

    assert (refused.status_code, slug_of(refused)) == (403, "scope-missing")
    assert [error["needed"] for error in json_of(refused)["errors"]] == ["rounds:read"]
    assert program.get(f"{DISPUTES}?expand=case").status_code == 200


@pytest.mark.usefixtures("settled_round", "three_disputes")
def test_takes_a_constant_number_of_queries() -> None:
    """For one dispute and for three."""
    program, counts = studio(), []
    read(program)

    for limit in (1, 3):
        with CaptureQueriesContext(connection) as queries:
            read(program, f"?expand=case,round&limit={limit}")
        counts.append(len(queries))

    assert counts[0] == counts[1]
