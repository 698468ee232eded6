"""The list of rounds contains on request what each round would say."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.casino.api.api_client import Program, customer_token, json_of
from tests.casino.api.rounds.round_reader import read
from tests.casino.api.studio import ROUNDS, studio
from tests.casino_in_play import by_now, ingest, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import resettle, void

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]

PARTS = ("bets", "cards", "settlements")
EXPANDED = f"?expand={','.join(PARTS)}"


@pytest.fixture
def many_rounds() -> None:
    """One of 60 bets, a void one, one that was settled again, and one that waits."""
    bets = [baccarat_bet(f"b{n}", "player", "1.00", player=f"p-{n % 3}") for n in range(60)]
    ingest(lines(baccarat_round("r-2", bets=bets), *map(baccarat_round, ("r-3", "r-4"))))
    settle(at=by_now())
    void("r-3", after=1)
    void("r-4", after=1)
    resettle("r-4", after=2)
    ingest(lines(baccarat_round("r-5")))


@pytest.mark.usefixtures("settled_round", "many_rounds")
class TestExpandedRounds:
    @pytest.mark.parametrize("customer", [None, "p-2"])
    def test_have_the_parts_of_the_single_round(self, customer: str | None) -> None:
        """Also for a customer's own token, which reads only the customer's part."""
        program = studio() if customer is None else Program(customer_token(customer))

        listed = read(program, EXPANDED)["data"]

        assert len(listed) >= 2
        for row in listed:
            whole = read(program, f"/{row['id']}")
            for part in ("cards", "settlements"):
                assert row[part] == whole[part]
            assert row["bets"]["data"] == whole["bets"]["data"]
        assert {row["id"] for row in listed} == {row["id"] for row in read(program, "")["data"]}

    def test_the_cursor_of_the_bets_continues_their_list(self) -> None:
        """Of the sixty, fifty are in the list; with a filter by a customer as well."""
        program = studio()

        [row] = [row for row in read(program, EXPANDED)["data"] if row["round"] == "r-2"]
        rest = read(program, f"/r-2/bets?cursor={row['bets']['next']}")

        numbers = [bet["number"] for bet in row["bets"]["data"] + rest["data"]]
        assert numbers == list(range(60))
        assert rest["next"] is None

    def test_have_only_the_requested_parts(self) -> None:
        """The others are null."""
        for part in PARTS:
            [row, *_rest] = read(studio(), f"?expand={part}&sort=opened")["data"]
            assert {name for name in PARTS if row[name] is not None} == {part}
        assert all(row[part] is None for row in read(studio(), "")["data"] for part in PARTS)

    def test_take_a_constant_number_of_queries(self) -> None:
        """For one round and for five."""
        program, counts = studio(), []
        read(program, EXPANDED)

        for limit in (1, 5):
            with CaptureQueriesContext(connection) as queries:
                read(program, f"{EXPANDED}&limit={limit}")
            counts.append(len(queries))

        assert counts[0] == counts[1]


def test_come_in_pages_of_twenty() -> None:
    """A larger page is refused."""
    limits = ("20", "21", "00000000121")  # whose first nine digits are 1

    answers = [studio().get(f"{ROUNDS}{EXPANDED}&limit={limit}") for limit in limits]

    assert [answer.status_code for answer in answers] == [200, 422, 422]
    for refused in answers[1:]:
        assert json_of(refused)["errors"][0]["needed"] == "a number from 1 to 20"
