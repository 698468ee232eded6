"""The ready-made questions on the archive agree with the database."""

from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.db.models import F, Sum
from django.test import Client

from casino.backoffice.archive.questions import QUESTIONS, Question
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet
from tests.casino.backoffice.archive.archive_reader import PAGE, run, table_of
from tests.compliance.archive.archived_months import Archived


def answers_of(client: Client, key: str, sql: str = "") -> list[dict[str, str]]:
    """The rows of a ready-made question, as somebody gets them who clicks it and then *Run*."""
    form = client.get(f"{PAGE}?question={key}").content.decode()
    filled = unescape(form.split("<textarea")[1].split(">", 1)[1].split("</textarea>")[0]).strip()
    assert filled == next(it.sql for it in QUESTIONS if it.key == key)
    headings, *rows = table_of(run(client, sql or filled))
    return [dict(zip(headings, row, strict=True)) for row in rows]


@pytest.fixture
def latest_bets(on_the_host: Archived) -> list[dict[str, Any]]:
    """Each bet with its result in the settlement of its round that counts, by the database."""
    latest: dict[Any, Settlement] = {}
    for settlement in Settlement.objects.order_by("sequence"):
        latest[settlement.round_id] = settlement
    results = {
        (it.round_id, it.bet_number): it
        for it in BetSettlement.objects.all()
        if latest[it.round_id].sequence == it.sequence
    }
    return [
        {
            "round": bet.round,
            "customer": bet.customer.pseudonym,
            "kind": bet.kind,
            "settlement": latest[bet.round_id],
            "staked": bet.stake_cents + bet.raised_cents,
            "paid": results[bet.round_id, bet.number].payout_cents,
            "is_void": results[bet.round_id, bet.number].outcome == "void",
        }
        for bet in Bet.objects.select_related("round", "customer")
        if (bet.round_id, bet.number) in results
    ]


class TestAReadyMadeQuestion:
    @pytest.mark.parametrize("question", QUESTIONS, ids=[it.key for it in QUESTIONS])
    def test_runs(self, auditor: Client, question: Question) -> None:
        """Each of them, on an archive of today's tables; a customer must be named first."""
        rows = answers_of(auditor, question.key)

        assert bool(rows) is (question.key != "customer")

    def test_of_stakes_agrees_with_the_database(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """By game, and corrected rounds once."""
        rows = answers_of(auditor, "stakes-by-game")

        expected: dict[str, list[int]] = {}
        for bet in latest_bets:
            sums = expected.setdefault(bet["settlement"].rules.split("/")[0], [0, 0])
            sums[0] += bet["staked"]
            sums[1] += bet["paid"]
        assert {
            row["game"]: [int(row["staked_cents"]), int(row["payout_cents"])] for row in rows
        } == expected
        assert {row["month"] for row in rows} == {"2026-11"}
        assert len({bet["round"].pk for bet in latest_bets}) == sum(
            int(row["rounds"]) for row in rows
        )

    def test_of_payouts_begins_with_the_largest(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """Of a customer in a round, over all bets."""
        rows = answers_of(auditor, "largest-payouts")

        paid: dict[tuple[str, str], int] = {}
        for bet in latest_bets:
            key = bet["round"].reference, bet["customer"]
            paid[key] = paid.get(key, 0) + bet["paid"]
        largest = sorted(paid.values(), reverse=True)[:100]
        assert [int(row["payout_cents"]) for row in rows] == largest
        assert all(paid[it["round"], it["customer"]] == int(it["payout_cents"]) for it in rows)

    def test_of_voids_counts_rounds_and_refunds(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """A refunded bet in a round that counts is no void round."""
        [row] = answers_of(auditor, "void-rounds")

        void = [bet for bet in latest_bets if bet["is_void"]]
        rounds = {bet["round"].pk for bet in void if bet["settlement"].kind == "void"}
        assert row == {
            "month": "2026-11",
            "void_rounds": str(len(rounds)),
            "void_bets": str(len(void)),
            "refunded_cents": str(sum([bet["paid"] for bet in void])),
        }
        assert rounds

    def test_of_corrections_names_both_persons(self, auditor: Client) -> None:
        """A correction is a later settlement of a round."""
        rows = answers_of(auditor, "corrections")

        later = [
            it
            for it in Settlement.objects.all()
            if Settlement.objects.filter(round=it.round_id, sequence__lt=it.sequence).exists()
        ]
        assert {(row["actor"], row["approved_by"]) for row in rows} == {
            (it.actor, it.approved_by) for it in later
        }
        assert sum(int(row["corrections"]) for row in rows) == len(later) > 0

    def test_of_kinds_has_their_return(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """What was paid of each 100 staked; void bets do not count."""
        rows = answers_of(auditor, "bets-by-kind")

        sums: dict[tuple[str, str], list[int]] = {}
        for bet in latest_bets:
            if not bet["is_void"]:
                total = sums.setdefault((bet["settlement"].rules, bet["kind"]), [0, 0, 0])
                for at, value in enumerate((1, bet["staked"], bet["paid"])):
                    total[at] += value
        figures = ("bets", "staked_cents", "payout_cents")
        assert {
            (row["rules"], row["kind"]): [int(row[figure]) for figure in figures] for row in rows
        } == sums
        assert all(
            abs(
                Decimal(row["return_percent"])
                - 100 * Decimal(row["payout_cents"]) / Decimal(row["staked_cents"])
            )
            <= Decimal("0.005")
            for row in rows
        )

    def test_of_a_customer_has_that_customer_s_rounds(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """With the pseudonym in place of the word."""
        name = latest_bets[0]["customer"]
        sql = next(it.sql for it in QUESTIONS if it.key == "customer")

        rows = answers_of(auditor, "customer", sql.replace("PSEUDONYM", name))

        own = {bet["round"].reference for bet in latest_bets if bet["customer"] == name}
        assert {row["round"] for row in rows} == own
        staked = Bet.objects.filter(customer__pseudonym=name, round__reference__in=own).aggregate(
            sum=Sum(F("stake_cents") + F("raised_cents"))
        )
        assert sum(int(row["staked_cents"]) for row in rows) == staked["sum"]
