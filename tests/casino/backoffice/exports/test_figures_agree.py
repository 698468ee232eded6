"""Figures of one name agree: Days, the bundle, its PDF, the API and the command, with the raw rows.

Three days of a casino with settled, void, corrected, held and late rounds and golden chips. The
expected figures are summed here, in Python, from bets, their payouts and the booking days.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from django.test import Client
from pypdf import PdfReader

from compliance.exports.bundle.signing import read_signing_key
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round
from tests.casino.api.exports.export_programs import ONE, READ, approve, program
from tests.casino.backoffice.page_reader import plain
from tests.casino_in_play import open_table
from tests.compliance.exports.day_closings import HOUR, log
from tests.compliance.exports.exported_days import contents, exported, table
from tests.compliance.exports.report_rows import play_golden_chips
from tests.documents import baccarat_bet
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NEXT,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import resettle, void

_A_DAY: Final = timedelta(days=1)
_LATE: Final = timedelta(seconds=30)
"""After betting has closed, and before the round is over."""
THIRD: Final = NEXT + _A_DAY
DAYS: Final = (DAY, NEXT, THIRD)

pytestmark = pytest.mark.usefixtures("_played")


@pytest.fixture
def _played(fresh_casino: str) -> None:
    """Two days are closed, the third is open."""
    open_table()
    late_bet = baccarat_bet("b1", "banker", "7.00", placed_at=f"{NOON + _LATE:%Y-%m-%dT%H:%M:%SZ}")
    arrive(dealt("r-1", NOON), dealt("r-2", NOON), dealt("r-3", NOON, held=True))
    arrive(dealt("r-4", NOON, held=True), dealt("r-5", NOON, bets=[late_bet]))
    settle_at()
    void("r-2", after=1, at=NOON)
    close(DAY)
    resettle("r-3", after=0, ruling=NO_EXTRA_CARD, at=AFTER + HOUR)
    void("r-1", after=1, at=AFTER + HOUR)
    arrive(dealt("r-6", NOON + _A_DAY), dealt("r-late", NOON - HOUR))
    arrive(dealt("r-7", NOON + _A_DAY, held=True))
    settle_at()
    close(NEXT)
    log()
    void("r-4", after=0, at=AFTER + _A_DAY + HOUR)
    arrive(dealt("r-8", NOON + 2 * _A_DAY), dealt("r-9", NOON + 2 * _A_DAY, held=True))
    settle_at()
    arrive(dealt("r-10", NOON + 2 * _A_DAY))


def expected(day: date) -> Counter[str]:
    """The figures of the glossary in cents, from the rows of bets alone."""
    sums: Counter[str] = Counter()
    for row in Round.objects.all():
        bets = list(Bet.objects.filter(round_id=row.id))
        stakes = sum(0 if bet.golden else bet.stake_cents for bet in bets)
        stakes += sum(bet.raised_cents for bet in bets)
        before: Counter[str] = Counter()
        settlements = Settlement.objects.filter(round_id=row.id).order_by("sequence")
        first = settlements.first()
        for settlement in settlements:
            paid = _paid(settlement)
            if settlement.booked_on == day:
                sums["paid"] += paid.total() - before.total()
                if row.booked_on == day:
                    sums.update({name: paid[name] - before[name] for name in paid | before})
            before = paid
        if row.booked_on == day:
            sums["staked"] += stakes
            sums["open"] += stakes * (first is None or first.booked_on > day)
        elif first is not None and first.booked_on == day:
            sums["earlier"] += stakes
    sums["settled"] = sums["staked"] - sums["open"] + sums["earlier"]
    sums["win"] = sums["settled"] - sums["paid"]
    sums["difference"] = sums["staked"] - sums["open"] - sums["refunded"] - sums["winnings"]
    return sums


def _paid(settlement: Settlement) -> Counter[str]:
    rows = BetSettlement.objects.filter(round_id=settlement.round_id, sequence=settlement.sequence)
    paid: Counter[str] = Counter(refunded=0, winnings=0)
    for row in rows:
        cash = row.payout_cents - row.chips_cents
        paid["refunded" if row.outcome == "void" else "winnings"] += cash
    return paid


def english_amount(cents: int) -> str:
    """An amount as English pages show it."""
    sign = "\N{MINUS SIGN}" if cents < 0 else ""
    return f"{sign}€{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def tiles(*figures: tuple[str, str, int]) -> str:
    """A total as a page shows it."""
    return " ".join(
        f"{sign} {word} {english_amount(cents)}".strip() for sign, word, cents in figures
    )


def day_tiles(of: Mapping[str, int]) -> str:
    """The totals on the page of a day."""
    return tiles(
        ("", "Staked", of["staked"]),
        ("\N{MINUS SIGN}", "Open stakes", of["open"]),
        ("+", "Settled from earlier days", of["earlier"]),
        ("=", "Settled stakes", of["settled"]),
        ("\N{MINUS SIGN}", "Paid", of["paid"]),
        ("=", "Gross win", of["win"]),
    )


def bundle_tiles(of: Mapping[str, int]) -> str:
    """The totals on the page of a bundle."""
    return tiles(
        ("", "Staked", of["staked"]),
        ("\N{MINUS SIGN}", "Open stakes", of["open"]),
        ("\N{MINUS SIGN}", "Refunded", of["refunded"]),
        ("\N{MINUS SIGN}", "Winnings", of["winnings"]),
        ("=", "Difference", of["difference"]),
        ("+", "Corrections of earlier days", of["win"] - of["difference"]),
        ("=", "Gross win", of["win"]),
    )


def bundle(day: date, tmp_path: Path) -> Path:
    """The day's bundle, stored where the pages read it."""
    key = read_signing_key(tmp_path / "export.key")
    return exported(tmp_path / "out", key, day=day).path


def words_of(pdf: bytes) -> str:
    """The text of a PDF."""
    pages = PdfReader(io.BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


class TestTheFigures:
    def test_are_worked_out_by_hand(self) -> None:
        """First day: r-1 to r-4 stake 22.00 each, r-5 7.00 too late; r-1 wins, r-2 is void.

        Second: r-6 and r-late win 25.00, r-7 is held; r-3 is completed with 25.00, r-1 is void now.
        """
        assert expected(DAY) == Counter(
            staked=9500,
            open=4400,
            earlier=0,
            settled=5100,
            paid=5400,
            refunded=2900,
            winnings=2500,
            difference=-300,
            win=-300,
        )
        assert expected(NEXT) == Counter(
            staked=6600,
            open=2200,
            earlier=2200,
            settled=6600,
            paid=2 * 2500 + 2500 - 2500 + 2200,
            refunded=0,
            winnings=5000,
            difference=-600,
            win=-600,
        )

    @pytest.mark.slow
    def test_are_the_same_on_every_page(self, compliance: Client, tmp_path: Path) -> None:
        """The days, the day, the export centre and the bundle, for closed and open days."""
        for number, day in enumerate(DAYS, 1):
            of = expected(day)
            bundle(day, tmp_path)

            assert day_tiles(of) in plain(compliance, f"/admin/days/{day}/")
            assert bundle_tiles(of) in plain(compliance, f"/admin/exports/bundles/{number}/")
            line = " ".join(
                amount_without_currency(of[name])
                for name in ("staked", "open", "earlier", "paid", "win")
            )
            assert line in plain(compliance, "/admin/days/")
            line = " ".join(
                amount_without_currency(of[name]) for name in ("staked", "open", "paid")
            )
            assert line in plain(compliance, "/admin/exports/")

    @pytest.mark.slow
    def test_are_those_of_the_registers_and_of_the_pdf(self, tmp_path: Path) -> None:
        """Reconciliation of all tables together, and the stages."""
        names = ("staked", "open", "refunded", "winnings", "difference")
        for day in DAYS:
            of, files = expected(day), contents(bundle(day, tmp_path))
            needed = {name: of[name] for name in names}

            for register in ("alignment", "stages", "sessions"):
                rows = table(files, register)
                assert {name: column_sum(rows, f"{name}_cents") for name in names} == needed, (
                    register
                )
            changes = column_sum(table(files, "alignment"), "difference_change_cents")
            assert of["difference"] + changes == of["win"]
            assert column_sum(table(files, "tax_base"), "base_cents") == of["win"]
            shown = [of[name] for name in names] + [changes, of["win"]]
            assert " ".join(map(italian, shown)) in words_of(files["summary.pdf"])

    def test_are_those_of_the_api(self, tmp_path: Path) -> None:
        """The same register, downloaded by a program after two signatures."""
        of = expected(DAY)
        bundle(DAY, tmp_path)
        approve()

        answer = program(READ).get(f"{ONE}/files/registers/alignment.csv")
        text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]  # a file
        rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))

        assert column_sum(rows, "staked_cents") == of["staked"]
        assert column_sum(rows, "open_cents") == of["open"]

    def test_with_another_meaning_have_another_name(self) -> None:
        """The command counts settled rounds, and its columns say so."""
        for day in DAYS:
            of, out = expected(day), io.StringIO()
            call_command("daily_totals", day.isoformat(), stdout=out)
            rows = list(csv.DictReader(io.StringIO(out.getvalue())))

            assert "staked" not in rows[0]
            assert sum(_cents(row["settled_stakes"]) for row in rows) == of["settled"]
            assert sum(_cents(row["payout"]) for row in rows) == of["paid"]


@pytest.mark.slow
def test_golden_chips_are_in_no_figure_of_cash(compliance: Client) -> None:
    """Six rounds of the open day include stakes in chips."""
    play_golden_chips()
    day = Round.objects.get(reference="q-1").booked_on
    chips = sum(bet.stake_cents for bet in Bet.objects.filter(golden=True))
    assert chips

    words = plain(compliance, f"/admin/days/{day}/")

    assert day_tiles(expected(day)) in words
    assert re.search(
        rf"All games .* {amount_without_currency(chips)} Stakes include all rounds", words
    )


def column_sum(rows: list[dict[str, str]], column: str) -> int:
    """The sum of a register's column."""
    return sum(int(row[column]) for row in rows)


def amount_without_currency(cents: int) -> str:
    """An amount in an English table."""
    return english_amount(cents).replace("€", "")


def italian(cents: int) -> str:
    """An amount in the PDF."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100},{abs(cents) % 100:02}"


def _cents(text: str) -> int:
    return int(text.replace(".", ""))
