"""The registers of a day computed by hand (``tests/compliance/exports/exported_days.py``)."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.registers import REGISTERS
from compliance.exports.services.set_tax_rate import set_tax_rate
from rounds.rules.catalogue import rule_set
from rounds.rules.ruling import Ruling
from tests.casino_in_play import NOW, ingest, settle
from tests.compliance.exports.exported_days import (
    CLERK,
    DAY,
    FORMULA,
    columns_of,
    contents,
    dealt,
    exported,
    table,
)
from tests.documents import lines
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD
from tests.payouts.settlement.resettlement_scenarios import resettle

MONEY = (
    "staked_cents",
    "open_cents",
    "refunded_cents",
    "winnings_cents",
    "difference_cents",
)
SESSION = "M000000000000001"
NEXT_DAY = date(2026, 11, 22)


@pytest.fixture
def files(day: None, key: SigningKey, tmp_path: Path) -> dict[str, bytes]:
    """The files of the day's bundle."""
    return contents(exported(tmp_path, key).path)


class TestStages:
    def test_are_the_rounds_of_the_day_numbered_without_a_gap(
        self, files: dict[str, bytes]
    ) -> None:
        """By opening, held and voided rounds included."""
        rows = table(files, "stages")

        values = columns_of(rows, "session", "stage", "round", "status", "settlement")
        assert values == [
            (SESSION, "1", "r-1", "settled", "1"),
            (SESSION, "2", "r-2", "held", ""),
            (SESSION, "3", "r-3", "settled", "1"),
            (SESSION, "4", "r-4", "void", "2"),
        ]

    def test_have_staked_open_refunded_and_won_amounts(self, files: dict[str, bytes]) -> None:
        """Staked less open, refunded and won is the difference."""
        assert columns_of(table(files, "stages"), *MONEY) == [
            ("2200", "0", "0", "2500", "-300"),
            ("2200", "2200", "0", "0", "0"),
            ("2000", "0", "1000", "2000", "-1000"),
            ("2200", "0", "2200", "0", "0"),
        ]

    def test_have_the_digest_of_their_rule_set(self, files: dict[str, bytes]) -> None:
        """As in the catalogue."""
        digest = rule_set("baccarat/1").digest.hex()

        assert {row["rules_digest"] for row in table(files, "stages")} == {digest}

    def test_of_a_session_go_on_counting_on_the_next_day(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """A session may pass midnight."""
        ingest(lines(dealt("r-5", 10, hour=23)))
        settle()

        files = contents(exported(tmp_path, key, day=NEXT_DAY).path)

        assert columns_of(table(files, "stages"), "stage", "round") == [("5", "r-5")]
        [session] = table(files, "sessions")
        assert session["started_at"] == "2026-11-21 21:10:10"
        assert session["first_opened_at"] == "2026-11-21 23:10:10"


class TestSessionsAndParticipations:
    def test_sum_up_their_stages(self, files: dict[str, bytes]) -> None:
        """86.00 staked, 22.00 open, 32.00 refunded, 45.00 won."""
        [session] = table(files, "sessions")

        figures = columns_of([session], "stages", "void_stages", "participations", "bets", *MONEY)
        assert figures == [("4", "1", "2", "11", "8600", "2200", "3200", "4500", "-1300")]

    def test_list_each_participation_separately(self, files: dict[str, bytes]) -> None:
        """Two customers with one participation are listed apart."""
        rows = table(files, "participations")

        assert columns_of(rows, "participation", "customer", "stages", "bets", "staked_cents") == [
            ("N000000000000001", f"'{FORMULA}", "1", "2", "2000"),
            ("N000000000000001", "p-1", "3", "6", "3600"),
            ("N000000000000002", "p-2", "3", "3", "3000"),
        ]


class TestBets:
    def test_have_payouts_and_reasons(self, files: dict[str, bytes]) -> None:
        """Of the first round, and a late bet."""
        rows = table(files, "bets")

        values = columns_of(rows, "round", "number", "outcome", "payout_cents")
        assert values[:3] == [
            ("r-1", "0", "win", "2000"),
            ("r-1", "1", "lose", "0"),
            ("r-1", "2", "win", "500"),
        ]
        assert [row["because"] for row in rows if row["round"] == "r-3"][1] == "void-out-of-time"
        assert {row["outcome"] for row in rows if row["round"] == "r-2"} == {""}


class TestCorrectionsAndVoids:
    def test_point_to_the_settlement_that_they_correct(self, files: dict[str, bytes]) -> None:
        """A void: 25.00 before, 22.00 after."""
        [row] = table(files, "corrections")

        content = ("round", "stage", "corrects_day", "corrects_settlement", "settlement", "action")
        assert columns_of([row], *content) == [("r-4", "4", "2026-11-21", "1", "2", "cancel")]
        assert columns_of([row], "winnings_before_cents", "refunded_after_cents", "in_stages") == [
            ("2500", "2200", "1")
        ]
        assert columns_of([row], "actor", "approved_by", "reason") == [
            ("Giulia Marchetti", "Lorenzo Ferri", "The reader read cards twice.")
        ]

    def test_have_their_kind(self, day: None, key: SigningKey, tmp_path: Path) -> None:
        """A refunded bet, corrected cards, an undone void; a held round settled on its day.

        A first settlement corrects none, so it is listed among the stages only.
        """
        resettle("r-1", after=1, ruling=Ruling(refunded=frozenset({0})))
        resettle("r-2", after=0, ruling=NO_EXTRA_CARD)
        resettle("r-3", after=1, ruling=Ruling(cards=NO_EXTRA_CARD.cards, refunded=frozenset({0})))
        resettle("r-4", after=2)

        files = contents(exported(tmp_path, key).path)

        content = ("round", "settlement", "action", "winnings_before_cents", "winnings_after_cents")
        assert columns_of(table(files, "corrections"), *content) == [
            ("r-1", "2", "adjust", "2500", "500"),
            ("r-3", "2", "replace", "2000", "0"),
            ("r-4", "2", "cancel", "2500", "0"),
            ("r-4", "3", "replace", "0", "2500"),
        ]
        stages = columns_of(table(files, "stages"), "round", "settlement", "winnings_cents")
        assert stages == [
            ("r-1", "2", "500"),
            ("r-2", "1", "2500"),
            ("r-3", "2", "0"),
            ("r-4", "3", "2500"),
        ]

    def test_are_listed_with_their_reasons(self, files: dict[str, bytes]) -> None:
        """A held round, a late bet, a cancelled round."""
        rows = table(files, "malfunctions")

        assert columns_of(rows, "round", "event", "bets", "refunded_cents", "reason") == [
            ("r-2", "held", "0", "0", "extra-card"),
            ("r-3", "void-bets", "1", "1000", "void-out-of-time"),
            ("r-4", "void", "3", "2200", "The reader read cards twice."),
        ]


class TestTotals:
    def test_are_those_of_the_stages(self, files: dict[str, bytes]) -> None:
        """By table and rule set."""
        [row] = table(files, "alignment")

        content = ("table", "rules", "stages", "void_stages", "open_stages", "bets", "void_bets")
        assert columns_of([row], *content) == [("bac-1", "baccarat/1", "4", "1", "1", "11", "4")]
        assert columns_of([row], *MONEY) == [("8600", "2200", "3200", "4500", "-1300")]

    def test_name_no_tax_without_a_rate(self, files: dict[str, bytes]) -> None:
        """There is no default."""
        [row] = table(files, "tax_base")

        assert columns_of([row], "game", "base_cents", "rate_per_million", "tax_cents") == [
            ("baccarat", "-1300", "", "")
        ]

    def test_apply_the_rate_of_the_game_that_is_in_force(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """25.5 % from the 1st, set after 10 % for all games; 30 % begins on the 22nd."""
        for minute, (game, first, rate) in enumerate(
            (
                ("", date(2026, 1, 1), 100_000),
                ("baccarat", date(2026, 11, 1), 255_000),
                ("baccarat", NEXT_DAY, 300_000),
            )
        ):
            at = NOW + timedelta(minutes=minute)
            set_tax_rate(game=game, in_force_from=first, per_million=rate, at=at, actor=CLERK)

        [row] = table(contents(exported(tmp_path, key).path), "tax_base")

        assert columns_of([row], "rate_per_million", "tax_cents") == [("255000", "-332")]  # -331.5


class TestRuleSets:
    def test_are_listed_by_digest(self, files: dict[str, bytes]) -> None:
        """One rule set, four stages, one correction."""
        [row] = table(files, "rule_sets")

        assert columns_of([row], "rules", "in_force_from", "stages", "corrections") == [
            ("baccarat/1", "2026-01-01", "4", "1")
        ]
        assert row["digest"] == rule_set("baccarat/1").digest.hex()


class TestAnotherGameOrDay:
    @pytest.mark.parametrize(
        ("on", "game"), [(DAY, "blackjack"), (date(2026, 11, 20), ""), (date(1970, 1, 1), "")]
    )
    def test_has_empty_registers_with_their_headings(
        self, day: None, key: SigningKey, tmp_path: Path, on: date, game: str
    ) -> None:
        """A day without stages."""
        files = contents(exported(tmp_path, key, day=on, game=game).path)

        for register in REGISTERS:
            heading = ";".join(column.name for column in register.columns)
            assert files[f"registers/{register.key}.csv"].decode() == f"{heading}\n"
