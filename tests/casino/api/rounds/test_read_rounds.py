"""A round is read with all details, in few queries."""

from typing import Final

import pytest

from compliance.trail.log.append_to_log import append_to_log
from rounds.models import Round
from tests.casino.api.api_client import Program, issued, json_of, slug_of
from tests.casino.api.postgres_messages import sent_to_postgres
from tests.casino.api.rounds.round_reader import read
from tests.casino.api.studio import ROUNDS, studio
from tests.casino_in_play import by_now, ingest, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.web_role import STATEMENTS as ROLE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]
_STATEMENTS: Final = 9
"""Key, rate; round with table, settlements, validation, events; bets, grades; the call's record."""
_ROUND_TRIPS: Final = 5
"""Key, rate, what was decided, what is shown, record."""


class TestARound:
    def test_has_its_facts_and_its_money(self) -> None:
        """Amounts as in tests/documents.py: 22.00 staked, 25.00 paid."""
        body = read(studio())

        row = Round.objects.get()
        assert (body["id"], body["round"], body["table"]) == (
            str(row.id),
            "r-1",
            "bac-1",
        )
        assert body["game_code"] == "#21:10:10"
        assert body["opened_at"] == "2026-11-21T21:10:10.000Z"
        assert body["cards"] == [["P", "4S"], ["B", "7H"], ["P", "5D"], ["B", "TC"]]
        assert body["shoe"] == {"id": "shoe-of-r-1", "drawn": 6}
        assert (body["status"], body["settlement"], body["bet_count"]) == (
            "settled",
            1,
            3,
        )
        assert (body["staked_cents"], body["payout_cents"]) == (2_200, 2_500)
        assert [settlement["kind"] for settlement in body["settlements"]] == ["settled"]

    def test_explains_the_payout_of_each_bet(self) -> None:
        """Outcome, payout, the sheet's heading, and steps that add up to the payout."""
        bets = read(studio())["bets"]["data"]

        assert [(bet["id"], bet["outcome"], bet["payout_cents"]) for bet in bets] == [
            ("b1", "win", 2_000),
            ("b2", "lose", 0),
            ("b3", "win", 500),
        ]
        for bet in bets:
            assert {reason["sheet"] for reason in bet["reasons"]} == {"BAC"}
            assert all(reason["heading"] and reason["title"] for reason in bet["reasons"])
            assert sum(step["adds_cents"] for step in bet["explanation"]) == bet["payout_cents"]

    def test_is_explained_in_the_requested_language(self) -> None:
        """The texts differ, the amounts do not."""
        token = issued().token

        english, italian = (
            read(Program(token, language=language))["bets"]["data"][0]["explanation"]
            for language in ("en", "it")
        )

        assert [step["adds_cents"] for step in english] == [step["adds_cents"] for step in italian]
        assert [step["text"] for step in english] != [step["text"] for step in italian]

    def test_is_found_by_either_id(self) -> None:
        """By Sabot's id and by the studio's."""
        row = Round.objects.get()

        assert read(studio(), f"/{row.id}") == read(studio())

    @pytest.mark.parametrize(
        "name", ["r-2", "%00", "019aa88a-7550-7a4d-8d5c-8e3f1c1b7d11", "x" * 99]
    )
    def test_that_is_not_there_is_not_found(self, name: str) -> None:
        """404 names the id."""
        answer = studio().get(f"{ROUNDS}/{name}")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")

    def test_that_is_held_says_why(self) -> None:
        """It has anomalies and no settlement."""
        ingest(lines(held_baccarat_round("r-2")))
        settle(at=by_now())

        body = read(studio(), "/r-2")

        assert (body["status"], body["anomalies"]) == ("held", ["extra-card"])
        assert (body["settlement"], body["payout_cents"]) == (None, None)
        assert [bet["outcome"] for bet in body["bets"]["data"]] == [None] * 3

    def test_is_revalidated_by_its_etag(self) -> None:
        """304 until the round changes; other languages have other ETags."""
        token = issued().token
        program = Program(token)
        etag = program.get(f"{ROUNDS}/r-1").headers["ETag"]

        same = program.get(f"{ROUNDS}/r-1", If_None_Match=f'"x", W/{etag}')
        other = Program(token, language="it").get(f"{ROUNDS}/r-1", If_None_Match=etag)
        ingest(lines(baccarat_round("r-1", session="M9")))  # a conflict: on record
        changed = program.get(f"{ROUNDS}/r-1", If_None_Match=etag)

        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", etag)
        assert (other.status_code, changed.status_code) == (200, 200)
        assert changed.headers["ETag"] != etag

    @pytest.mark.parametrize("known", ["*", '"x"'])
    def test_is_refused_with_invalid_parameters_despite_its_etag(self, known: str) -> None:
        """An invalid call is not answered 304."""
        answer = studio().get(f"{ROUNDS}/r-1?limit=0", If_None_Match=known)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")

    def test_takes_a_constant_number_of_statements(self) -> None:
        """The numbers of statements and of round trips do not depend on the round."""
        bets = [baccarat_bet(f"b{number}", "player", "1.00") for number in range(60)]
        ingest(lines(baccarat_round("r-2", bets=bets)))
        settle(at=by_now())
        program = studio()
        ids = [str(Round.objects.get(reference=name).id) for name in ("r-1", "r-2")]
        read(program, f"/{ids[0]}"), read(program, f"/{ids[1]}")  # until then not prepared

        counts = []
        for name in (*ids, "r-1"):
            with sent_to_postgres() as sent:
                read(program, f"/{name}")
            counts.append((sent.statements, sent.round_trips))

        of_one = (_STATEMENTS + ROLE, _ROUND_TRIPS + ROLE)
        looked_up = (of_one[0] + 1, of_one[1] + 1)  # which id the studio's name is of
        assert counts == [of_one, of_one, looked_up]


class TestTheBetsOfARound:
    def test_come_page_by_page(self) -> None:
        """Each once, in the order of the feed."""
        bets = [baccarat_bet(f"b{number}", "player", "1.00") for number in range(7)]
        ingest(lines(baccarat_round("r-2", bets=bets)))
        settle(at=by_now())
        program, numbers = studio(), []
        following: str | None = ""

        while following is not None:
            page = read(program, f"/r-2/bets?limit=3{following}")
            numbers += [bet["id"] for bet in page["data"]]
            following = page["next"] and f"&cursor={page['next']}"

        assert numbers == [f"b{number}" for number in range(7)]

    def test_continue_from_the_round(self) -> None:
        """The round's cursor is valid there."""
        program = studio()
        first = read(program, "/r-1?limit=2")["bets"]

        rest = read(program, f"/r-1/bets?limit=2&cursor={first['next']}")

        assert [bet["id"] for bet in (*first["data"], *rest["data"])] == ["b1", "b2", "b3"]
        assert rest["next"] is None

    def test_may_be_those_of_one_customer(self) -> None:
        """With that customer's amounts."""
        body = read(studio(), "/r-1?customer=p-2")

        assert [bet["id"] for bet in body["bets"]["data"]] == ["b2"]
        assert (
            body["bet_count"],
            body["staked_cents"],
            body["payout_cents"],
        ) == (1, 1_000, 0)

    @pytest.mark.parametrize(
        "query",
        [
            "limit=0",
            "limit=201",
            "limit=x",
            "cursor=x",
            "cursor=WyJ4Il0:x",
            "customer=p-9",
            "customer=%00",
            "page=2",
            "limit=1&limit=2",
        ],
    )
    def test_are_refused_for_invalid_parameters(self, query: str) -> None:
        """422 names the parameter."""
        answer = studio().get(f"{ROUNDS}/r-1/bets?{query}")

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        [error] = json_of(answer)["errors"]
        assert error["field"] == f"query:{query.partition('=')[0]}"


class TestTheTimeline:
    def test_has_the_audit_records(self) -> None:
        """Oldest first, in words, page by page."""
        program = studio()

        records = read(program, "/r-1/timeline")["data"]
        first = read(program, "/r-1/timeline?limit=1")
        second = read(program, f"/r-1/timeline?limit=1&cursor={first['next']}")

        assert [record["action"] for record in records] == ["ROUND_RECEIVED", "ROUND_SETTLED"]
        assert [record["text"] for record in records] == ["Received", "Settled"]
        assert (*first["data"], *second["data"]) == tuple(records)
        assert records == read(program)["timeline"]


class TestTheReceipt:
    def test_waits_for_the_log(self) -> None:
        """409 with Retry-After, then the proofs of both records."""
        program = studio()
        early = program.get(f"{ROUNDS}/r-1/receipt")
        append_to_log(KEY, now=by_now())

        receipt = read(program, "/r-1/receipt")

        assert (early.status_code, slug_of(early)) == (409, "not-in-log")
        assert early.headers["Retry-After"] == "2"
        assert (receipt["receipt"], receipt["round"]) == ("sabot receipt/1", "r-1")
        assert [record["proof"] for record in receipt["records"]] == ["sabot inclusion/1"] * 2
