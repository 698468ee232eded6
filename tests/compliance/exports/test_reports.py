"""Standing reports in every format; game performance against a count bet by bet."""

import io
import json
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import override_settings
from lxml import etree
from openpyxl import load_workbook

from compliance.certification.returns.declared_returns import DECLARED_RETURNS
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.reports import REPORTS
from compliance.exports.reports.game_performance import GAME_PERFORMANCE
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope, snapshot
from payouts.gaming_days.models import DayClosing
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.ruling import Ruling
from tests.compliance.exports.day_closings import HOUR, verifier_output
from tests.compliance.exports.exported_days import DAY, columns_of, contents, table
from tests.compliance.exports.report_rows import (
    LARGE,
    THE_DAY,
    Row,
    assert_right_type,
    extract,
    play_golden_chips,
    read_report,
    shown_in_csv,
)
from tests.payouts.gaming_days import day_scenarios
from tests.payouts.gaming_days.day_scenarios import AFTER, NEXT
from tests.payouts.settlement.resettlement_scenarios import resettle, void
from tests.rounds.rules.sheet_headings import has_heading

NOTHING_HAPPENED: Final = Scope(date(2026, 11, 20), date(2026, 11, 20))
READINGS: Final = {
    ("BJ", "main"): "99.28",
    ("BJ", "perfect_pairs"): "95.90",
    ("BJ", "21+3"): "96.30",
    ("MFB", "main"): "99.55",
    ("MFB", "mega_fire_blaze"): "97.47",
    ("MFB", "player_pair"): "95.90",
    ("MFB", "dealer_pair"): "95.90",
    ("MFB", "21+3"): "96.30",
    ("QB", "main"): "99.57",
    ("QB", "player_pair"): "93.89",
    ("QB", "21+3"): "95.38",
    ("BAC", "banker_pair"): "95.29",
    ("BAC", "perfect_pair"): "95.26",
    ("ZAP", "main"): "98.87",
    ("ZAP", "insurance"): "92.60",
}
"""The declared returns in per cent, as the table of the readings has them."""


@pytest.fixture
def played(day: None) -> None:
    """The day and six rounds with chips; a bet of r-1 is returned, r-4 is void."""
    play_golden_chips()
    resettle("r-1", after=1, ruling=Ruling(refunded=frozenset({0})))


class TestEveryReport:
    def test_is_in_a_bundle_in_every_form(
        self, played: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """The same rows in each; the bundle verifies."""
        of = THE_DAY._replace(contents=COMPLIANCE_REPORTS)
        with override_settings(LARGE_WIN_CENTS=LARGE):
            path = extract(tmp_path, key, of).path

        files = contents(path)
        for report in REPORTS:
            name = f"registers/{report.key}"
            rows = [json.loads(line) for line in files[f"{name}.jsonl"].splitlines()]
            document = etree.fromstring(files[f"{name}.xml"])
            schema = etree.XMLSchema(etree.fromstring(files[f"schemas/{report.key}.xsd"]))
            schema.assertValid(document)
            assert len(rows) == len(document) > 0
            for row, line in zip(rows, table(files, report.key), strict=True):
                for column in report.columns:
                    shown = shown_in_csv(column, row[column.name])
                    assert line[column.name] in {shown, f"'{shown}"}
            book = load_workbook(io.BytesIO(files[f"{name}.xlsx"]))
            [_heading, *cells] = book.active.iter_rows()
            for shown_row, line in zip(cells, table(files, report.key), strict=True):
                for cell, column in zip(shown_row, report.columns, strict=True):
                    assert_right_type(cell, column, line[column.name])
        assert "counts, sums and times match." in verifier_output(path, tmp_path)

    def test_has_its_rows_in_one_order(self, played: None) -> None:
        """Rows have a total order, so bytes are reproducible."""
        with snapshot(THE_DAY, database="default") as seen:
            rows_of_reports = 0
            for report in REPORTS:
                apart = f"count(DISTINCT ({', '.join(report.order)}, 0))"
                [(rows, places)] = seen.rows(
                    f"SELECT count(*), {apart} FROM ({report.query}) AS line"
                )
                assert rows == places
                rows_of_reports += rows
            assert rows_of_reports > 0

    def test_is_empty_where_nothing_happened(self, played: None) -> None:
        """Of another day, game, table, rule set or person."""
        for of in (
            NOTHING_HAPPENED,
            THE_DAY._replace(game="blackjack"),
            THE_DAY._replace(table="bac-2"),
            THE_DAY._replace(rules="blackjack/1"),
            THE_DAY._replace(customer="nobody"),
        ):
            assert [read_report(report, of) for report in REPORTS] == [[]] * len(REPORTS)


class TestDeclaredReturns:
    def test_are_those_of_the_readings(self) -> None:
        """All of them, in parts per million."""
        declared = {
            (declared_return.sheet, kind): declared_return.per_million
            for declared_return in DECLARED_RETURNS
            for kind in declared_return.kinds
        }

        assert declared == {key: int(text.replace(".", "")) * 100 for key, text in READINGS.items()}

    @pytest.mark.parametrize("declared_return", DECLARED_RETURNS, ids=str)
    def test_are_of_bets_and_headings_that_there_are(self, declared_return: Any) -> None:
        """Of the rule set's own sheet."""
        rules = RULE_SETS[declared_return.rules]

        assert rules.sheet == declared_return.sheet
        assert set(declared_return.kinds) <= set(rules.bet_kinds)
        assert has_heading(declared_return.sheet, declared_return.heading)


class TestGamePerformance:
    @pytest.mark.parametrize("customer", ["", "p-1"])
    def test_equals_the_sum_of_bets(self, played: None, customer: str) -> None:
        """Held, refunded and late bets included."""
        rows = read_report(GAME_PERFORMANCE, THE_DAY._replace(customer=customer))

        assert {(row["rules"], row["table"], row["kind"]): row for row in rows} == counted(customer)

    def test_keeps_golden_chips_apart(self, played: None) -> None:
        """Worked out by hand: 35.00 of cash returned 50.00; chips won 40.00."""
        [row] = [line for line in read_report(GAME_PERFORMANCE) if line["kind"] == "main"]

        assert row == {
            "game": "quantum-blackjack",
            "rules": "quantum-blackjack/1",
            "table": "t-1",
            "kind": "main",
            "rounds": 6,
            "bets": 8,
            "void_bets": 1,
            "open_bets": 0,
            "golden_bets": 5,
            "staked_cents": 4500,
            "open_cents": 0,
            "refunded_cents": 0,
            "winnings_cents": 9000,
            "won_cents": 5500,
            "difference_cents": -4500,
            "staked_chips_cents": 5000,
            "returned_chips_cents": 2000,
            "won_by_chips_cents": 4000,
            "return_staked_cents": 3500,
            "return_paid_cents": 5000,
            "declared_return": 995_700,
            "actual_return": 1_428_571,
            "return_difference": 432_871,
        }

    def test_has_no_return_without_cash_stakes_or_declaration(self, played: None) -> None:
        """Bets in chips alone, and bets without a declared return."""
        returns = columns_of(
            read_report(GAME_PERFORMANCE), "kind", "declared_return", "actual_return"
        )

        assert ("player_pair", 938_900, None) in returns
        assert ("player", None, 2_000_000) in returns

    def test_adds_up_over_kinds(self, played: None) -> None:
        """To what was staked and what the latest settlements paid."""
        rows = read_report(GAME_PERFORMANCE)

        assert sum(row["bets"] for row in rows) == Bet.objects.count()
        staked = sum(row["staked_cents"] + row["staked_chips_cents"] for row in rows)
        assert staked == sum(Round.objects.values_list("staked_cents", flat=True))
        returned = ("refunded_cents", "winnings_cents", "returned_chips_cents")
        paid = {
            settlement.round_id: settlement.payout_cents
            for settlement in Settlement.objects.order_by("sequence")
        }
        assert sum(row[name] for row in rows for name in returned) == sum(paid.values())

    def test_of_several_days_has_them_together(self, played: None) -> None:
        """The day before adds nothing."""
        rows = read_report(GAME_PERFORMANCE, Scope(date(2026, 11, 20), DAY))

        assert rows == read_report(GAME_PERFORMANCE)

    def test_of_a_closed_day_stays(self, closed: DayClosing) -> None:
        """Later decisions belong to later days."""
        day = Scope(day_scenarios.DAY, day_scenarios.DAY)
        before = read_report(GAME_PERFORMANCE, day)
        void("r-1", after=1, at=AFTER + HOUR)

        assert read_report(GAME_PERFORMANCE, day) == before
        assert read_report(GAME_PERFORMANCE, Scope(NEXT, NEXT)) == []
        both = columns_of(
            read_report(GAME_PERFORMANCE, Scope(day_scenarios.DAY, NEXT)), "kind", "void_bets"
        )
        assert both == [("banker", 1), ("player", 1), ("small", 1)]


def counted(customer: str) -> dict[tuple[str, str, str], Row]:
    """Game performance by rule set, table and kind, counted in Python."""
    latest: dict[Any, dict[int, BetSettlement]] = defaultdict(dict)
    for graded in BetSettlement.objects.order_by("sequence"):
        latest[graded.round_id][graded.bet_number] = graded
    sums: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    rounds: dict[tuple[str, str, str], set[Any]] = defaultdict(set)
    for bet in Bet.objects.select_related("round__table", "customer"):
        if customer in ("", bet.customer.pseudonym):
            key = (bet.round.rules, bet.round.table.code, bet.kind)
            rounds[key].add(bet.round_id)
            sums[key].update(figures(bet, latest[bet.round_id].get(bet.number)))
    return {key: whole_row(key, rounds=len(rounds[key]), sums=sums[key]) for key in sums}


def figures(bet: Bet, graded: BetSettlement | None) -> dict[str, int]:
    """The figures of one bet."""
    staked = bet.raised_cents + (0 if bet.golden else bet.stake_cents)
    figures = {"bets": 1, "golden_bets": int(bet.golden), "staked_cents": staked}
    figures["staked_chips_cents"] = bet.stake_cents if bet.golden else 0
    if graded is None:
        return figures | {"open_bets": 1, "open_cents": staked}
    cash = graded.payout_cents - graded.chips_cents
    figures |= {"returned_chips_cents": graded.chips_cents, "difference_cents": staked - cash}
    if graded.outcome == "void":
        return figures | {"void_bets": 1, "refunded_cents": cash}
    won = {"won_cents": cash - staked} if graded.outcome == "win" else {}
    if bet.golden:
        return figures | won | {"winnings_cents": cash, "won_by_chips_cents": cash}
    of_return = {"return_staked_cents": staked, "return_paid_cents": cash}
    return figures | won | of_return | {"winnings_cents": cash}


def whole_row(key: tuple[str, str, str], *, rounds: int, sums: Counter[str]) -> Row:
    """The row with all derived figures."""
    rules, table, kind = key
    percent = READINGS.get((RULE_SETS[rules].sheet, kind))
    declared = None if percent is None else int(percent.replace(".", "")) * 100
    staked, paid = sums["return_staked_cents"], sums["return_paid_cents"]
    actual = (2_000_000 * paid + staked) // (2 * staked) if staked else None
    known: Row = {"game": rules.partition("/")[0], "rules": rules, "table": table, "kind": kind}
    known |= {"declared_return": declared, "actual_return": actual, "rounds": rounds}
    if actual is None or declared is None:
        known["return_difference"] = None
    else:
        known["return_difference"] = actual - declared
    return {
        column.name: known.get(column.name, sums[column.name])
        for column in GAME_PERFORMANCE.columns
    }
