"""Keys of some tables and tokens of customers read only the rounds meant for them."""

import pytest

from tests.casino.api.api_client import Program, customer_token, slug_of
from tests.casino.api.rounds.round_reader import read
from tests.casino.api.studio import ROUNDS, studio
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_bet, baccarat_round, lines

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]


class TestACustomersOwnToken:
    def test_sees_only_their_own_bets_and_money(self) -> None:
        """No answer has data of the other customer."""
        for path in ("/r-1", "/r-1/bets", "/r-1/timeline", ""):
            answer = Program(customer_token("p-2")).get(f"{ROUNDS}{path}")
            text = answer.content.decode()
            assert answer.status_code == 200
            for others in ("p-1", "b1", "b3", "2200", "2500"):
                assert f'"{others}"' not in text
                assert f":{others}," not in text
        body = read(Program(customer_token("p-2")))
        assert [bet["id"] for bet in body["bets"]["data"]] == ["b2"]
        assert (
            body["bet_count"],
            body["staked_cents"],
            body["payout_cents"],
        ) == (1, 1_000, 0)
        assert body["settlements"][0]["payout_cents"] is None

    def test_sees_no_round_without_an_own_bet(self) -> None:
        """404, and not listed."""
        ingest(lines(baccarat_round("r-2", bets=[baccarat_bet("b1", "tie", "1.00")])))
        program = Program(customer_token("p-2"))

        answers = [program.get(f"{ROUNDS}/r-2{path}") for path in ("", "/bets", "/receipt")]

        assert [answer.status_code for answer in answers] == [404] * 3
        assert [row["round"] for row in read(program, "")["data"]] == ["r-1"]

    def test_cannot_ask_for_another_customer(self) -> None:
        """Refused like an unknown customer."""
        program = Program(customer_token("p-2"))

        answers = [program.get(f"{ROUNDS}{path}?customer=p-1") for path in ("", "/r-1")]

        assert [slug_of(answer) for answer in answers] == ["refused"] * 2

    def test_sees_no_disconnects_of_others(self) -> None:
        """They contain pseudonyms."""
        disconnects = [{"player": f"p-{number}", "at": "2026-11-21T21:10:40Z"} for number in (1, 2)]
        ingest(lines(baccarat_round("r-2", disconnects=disconnects)))

        body = read(Program(customer_token("p-2")), "/r-2")

        assert [disconnect["player"] for disconnect in body["disconnects"]] == ["p-2"]


class TestAKeyOfSomeTables:
    def test_sees_rounds_of_its_tables_only(self) -> None:
        """Other rounds are answered 404 and not listed."""
        open_table("bac-2")
        ingest(lines(baccarat_round("r-2", table="bac-2")))
        program = studio(tables=["bac-2"])

        assert program.get(f"{ROUNDS}/r-1").status_code == 404
        assert read(program, "/r-2")["table"] == "bac-2"
        assert [row["round"] for row in read(program, "")["data"]] == ["r-2"]
