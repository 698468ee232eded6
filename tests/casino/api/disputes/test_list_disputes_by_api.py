"""Disputes are listed: filters, pages, cursors, number of queries."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, read, service
from tests.casino_in_play import NOW, by_now, ingest, settle
from tests.documents import baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import (
    disputed,
    take,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]


class TestTheList:
    def test_is_filtered_by_the_query(self) -> None:
        """By state, overdue, customer, round and time of opening."""
        ingest(lines(baccarat_round("r-2")))
        settle(at=by_now())
        late = timezone.now() - timedelta(days=90)
        first = disputed(at=late)
        second = disputed(pseudonym="p-2", at=timezone.now())
        third = disputed("r-2", at=timezone.now() + timedelta(minutes=1))
        take(third, at=timezone.now() + timedelta(minutes=2))
        middle = (timezone.now() - timedelta(days=9)).isoformat().replace("+", "%2B")

        ids_by_query = {
            requested: [dispute["id"] for dispute in read(service(), f"?{requested}")["data"]]
            for requested in (
                "",
                "state=in_review",
                "overdue=true",
                "overdue=false",
                "customer=p-2",
                "round=r-2",
                f"round={first.round_id}",
                f"opened_since={middle}",
                f"opened_before={middle}",
                "state=opened&customer=p-1",
            )
        }

        assert [
            [str(dispute_id) for dispute_id in row]
            for row in (
                (third, second, first),
                (third,),
                (first,),
                (third, second),
                (second,),
                (third,),
                (second, first),
                (third, second),
                (first,),
                (first,),
            )
        ] == list(ids_by_query.values())

    def test_has_no_gaps_and_no_duplicates(self) -> None:
        """Pages of three, equal times, and disputes opened meanwhile."""
        documents = [baccarat_round(f"r-{number}") for number in range(2, 9)]
        ingest(lines(*documents))
        settle(at=by_now())
        before = [str(disputed(f"r-{number}")) for number in range(1, 8)]
        program, listed = service(), list[str]()

        page = read(program, "?limit=3")
        disputed("r-8", bet_number=0, at=NOW + timedelta(days=1))
        while page["next"] is not None:
            listed += [dispute["id"] for dispute in page["data"]]
            page = read(program, f"?limit=3&cursor={page['next']}")

        listed += [dispute["id"] for dispute in page["data"]]
        assert listed == before[::-1]

    @pytest.mark.parametrize(
        "query",
        [
            "state=lost",
            "overdue=1",
            "customer=nobody",
            "round=r-9",
            "opened_since=yesterday",
            "opened_before=2026-11-21",
            "limit=0",
            "cursor=x",
            "page=2",
        ],
    )
    def test_is_refused_for_invalid_parameters(self, query: str) -> None:
        """422 names the parameter."""
        answer = service().get(f"{DISPUTES}?{query}")

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert json_of(answer)["errors"][0]["field"] == f"query:{query.partition('=')[0]}"

    def test_cursors_belong_to_their_key(self) -> None:
        """A cursor of another key is refused."""
        disputed()
        disputed(pseudonym="p-2")
        following = read(service(), "?limit=1")["next"]

        answer = service().get(f"{DISPUTES}?cursor={following}")

        assert slug_of(answer) == "refused"

    def test_takes_a_constant_number_of_queries(self) -> None:
        """The number of queries does not grow with the list."""
        program, counts = service(), []
        disputed()
        read(program)

        for number in (0, 2):
            with CaptureQueriesContext(connection) as queries:
                read(program)
            counts.append(len(queries))
            disputed(bet_number=number)

        assert counts[0] == counts[1]
