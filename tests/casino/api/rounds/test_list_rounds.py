"""Lists of rounds and game histories have no gaps and no duplicates."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.studio import ROUNDS, studio
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]

HISTORY = "/api/v1/customers/p-1/history"


def played(reference: str, at: str, **fields: Any) -> dict[str, Any]:
    """A round at a time; two rounds may have the same second."""
    times = {
        "opened_at": f"{at}:10Z",
        "closed_at": f"{at}:25Z",
        "ended_at": f"{at}:59Z",
    }
    bets = [baccarat_bet("b1", "player", "10.00", placed_at=f"{at}:15Z", player="p-1")]
    return baccarat_round(reference, **{"bets": bets, **times, **fields})


def bring(*documents: object) -> None:
    """Delivers and settles rounds."""
    ingest(lines(*documents))
    settle(at=by_now())


def pages(program: Program, path: str, between: Callable[[], None] = lambda: None) -> list[Any]:
    """All rows of a list; a callback runs between the pages."""
    rows: list[Any] = []
    following: str | None = ""
    while following is not None:
        answer = program.get(f"{path}{'&' if '?' in path else '?'}limit=2{following}")
        assert answer.status_code == 200, answer.content
        rows += json_of(answer)["data"]
        following = json_of(answer)["next"] and f"&cursor={json_of(answer)['next']}"
        between()
    return rows


def names(rounds: list[Any]) -> list[str]:
    """The studio's ids of the rounds."""
    return [row["round"] for row in rounds]


class TestTheListOfRounds:
    def test_neither_skips_nor_repeats_while_rounds_arrive(self) -> None:
        """Two of five rounds have the same millisecond; a later one arrives after each page."""
        bring(*(played(f"r-{hour}", f"2026-11-20T1{hour}:00") for hour in range(4)))
        bring(played("r-3b", "2026-11-20T13:00"))
        count: list[None] = []

        def arrive() -> None:
            count.append(None)
            bring(played(f"late-{len(count)}", f"2026-11-21T1{len(count)}:00"))

        listed = names(pages(studio(), ROUNDS, arrive))

        assert sorted(listed[:2]) == ["r-3", "r-3b"]
        assert listed[2:] == ["r-2", "r-1", "r-0"]

    def test_has_the_summary_of_a_round(self) -> None:
        """With its status and amounts."""
        bring(played("r-1", "2026-11-20T11:00"))

        [row] = pages(studio(), ROUNDS)

        assert (row["status"], row["staked_cents"], row["payout_cents"]) == (
            "settled",
            1_000,
            2_000,
        )

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("table=bac-2", ["r-2"]),
            ("rules=baccarat/1", ["r-4", "r-3", "r-2", "r-1"]),
            ("rules=blackjack/1", []),
            ("status=held", ["r-4"]),
            ("status=settled", ["r-3", "r-2", "r-1"]),
            ("status=waiting", []),
            ("session=M3", ["r-3"]),
            ("opened_since=2026-11-20T12:00:10Z", ["r-4", "r-3", "r-2"]),
            ("opened_before=2026-11-20T13:00:10%2B01:00", ["r-1"]),
            ("opened_before=0194-06-09T06:04:00-23:07", []),
            ("opened_since=2026-11-20T12:00:00Z&opened_before=2026-11-20T13:00:00Z", ["r-2"]),
            ("customer=p-3", ["r-3", "r-2"]),
            ("customer=p-3&table=bac-2", ["r-2"]),
        ],
    )
    def test_is_filtered(self, query: str, expected: list[str]) -> None:
        """By each filter, and by several."""
        open_table("bac-2")
        third = [baccarat_bet(f"b{number}", "tie", "1.00", player="p-3") for number in (1, 2)]
        bring(
            played("r-1", "2026-11-20T11:00"),
            played("r-2", "2026-11-20T12:00", table="bac-2", bets=third),
            played("r-3", "2026-11-20T13:00", session="M3", bets=third),
        )
        cards = held_baccarat_round("x")["cards"]
        bring(played("r-4", "2026-11-20T14:00", cards=cards))

        assert names(pages(studio(), f"{ROUNDS}?{query}")) == expected

    @pytest.mark.parametrize(
        "query",
        [
            "status=lost",
            "table=bac-9",
            "customer=p-9",
            "rules=whist/1",
            "opened_since=2026-11-20",
            "opened_since=0001-01-01T00:00:00%2B23:00",
            "opened_before=x",
            "opened_before=",
            "sort=id",
            "sort=-changed",
            "received_since=yesterday",
            "settled_before=2026-11-20",
            "changed_before=2026-11-20T11:00:00Z",
            "settled_since=2026-11-20T11:00:00Z&sort=received",
            "settled_since=2026-11-20T11:00:00Z&received_since=2026-11-20T11:00:00Z&sort=-received",
            "expand=video",
            "expand=bets,video",
            "limit=21&expand=bets",
            "limit=-1",
        ],
    )
    def test_is_refused_for_invalid_parameters(self, query: str) -> None:
        """422 names the parameter."""
        answer = studio().get(f"{ROUNDS}?{query}")

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert json_of(answer)["errors"][0]["field"] == f"query:{query.partition('=')[0]}"

    def test_refuses_cursors_of_other_lists(self) -> None:
        """Those of another filter or another key."""
        bring(*(played(f"r-{hour}", f"2026-11-20T1{hour}:00") for hour in range(3)))
        program = studio()
        cursor = json_of(program.get(f"{ROUNDS}?limit=2"))["next"]

        answers = [
            program.get(f"{ROUNDS}?table=bac-1&cursor={cursor}"),
            studio().get(f"{ROUNDS}?cursor={cursor}"),
            program.get(f"{ROUNDS}?cursor={cursor}"),
        ]

        assert [answer.status_code for answer in answers] == [422, 422, 200]


class TestAHistory:
    def test_has_days_games_stakes_and_payouts(self) -> None:
        """Days of Europe/Rome, newest first; each links to its rounds."""
        bring(
            played("r-1", "2026-11-18T11:00"),
            played("r-2", "2026-11-19T22:59"),
            played("r-3", "2026-11-19T23:00"),  # the 20th in Rome
            played(
                "r-4",
                "2026-11-20T12:00",
                cards=[["P", "4S"], ["B", "9H"], ["P", "5D"], ["B", "TC"]],
            ),
            played("r-5", "2026-11-21T12:00"),
        )
        other = [baccarat_bet("b1", "tie", "1.00", player="p-2")]
        bring(played("r-6", "2026-11-21T13:00", bets=other))
        ingest(lines(played("r-7", "2026-11-21T14:00")))  # nobody settles it

        days = pages(studio(), HISTORY)

        assert [
            (day["date"], day["rounds"], day["staked_cents"], day["payout_cents"]) for day in days
        ] == [
            ("2026-11-21", 2, 2_000, 2_000),
            ("2026-11-20", 2, 2_000, 3_000),
            ("2026-11-19", 1, 1_000, 2_000),
            ("2026-11-18", 1, 1_000, 2_000),
        ]
        [game] = days[0]["games"]
        assert (game["rules"], game["bets"], game["open_rounds"]) == ("baccarat/1", 2, 1)
        rounds = pages(studio(), days[1]["links"]["rounds"])
        assert names(rounds) == ["r-4", "r-3"]
        assert [row["payout_cents"] for row in rounds] == [1_000, 2_000]

    def test_counts_only_the_customers_own_bets(self) -> None:
        """With the payouts of the current settlement."""
        bets = [
            baccarat_bet("b1", "player", "10.00", placed_at="2026-11-18T11:00:15Z"),
            baccarat_bet("b2", "player", "70.00", player="p-2", placed_at="2026-11-18T11:00:15Z"),
        ]
        bring(played("r-1", "2026-11-18T11:00", bets=bets))

        [day] = pages(studio(), HISTORY)
        [row] = pages(studio(), day["links"]["rounds"])

        assert (day["staked_cents"], day["payout_cents"]) == (1_000, 2_000)
        assert (row["staked_cents"], row["payout_cents"]) == (1_000, 2_000)

    def test_of_a_customer_who_never_played_is_not_found(self) -> None:
        """404, as for an invalid day; a day without rounds is empty."""
        bring(played("r-1", "2026-11-18T11:00"))

        paths = ["p-9/history", "p-9/history/2026-11-18", "p-1/history/soon", "%00/history"]
        answers = [studio().get(f"/api/v1/customers/{path}") for path in paths]

        assert [answer.status_code for answer in answers] == [404] * 4
        assert pages(studio(), f"{HISTORY}/2026-11-17") == []

    def test_is_for_keys_of_all_tables(self) -> None:
        """Keys limited to tables get 404."""
        bring(played("r-1", "2026-11-18T11:00"))

        assert studio(tables=["bac-1"]).get(HISTORY).status_code == 404
