"""``manage.py certify``: the table of declared returns, computed."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError

from casino.embedded.server_paths import ServerPaths
from rounds.rules.catalogue import RULE_SETS
from tests.compliance.certification.certify_output import certify_output
from tests.rounds.rules.dealing import BACCARAT, BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT
from tests.servers import FOLDER


@pytest.fixture(scope="module")
def certified() -> list[dict[str, Any]]:
    """All returns as JSON, computed once per test run."""
    cache = FOLDER / "returns.json"
    with ServerPaths(cache).locked():
        if not cache.exists():
            cache.write_text(certify_output("--json"))
    listed: list[dict[str, Any]] = json.loads(cache.read_text())
    return listed


@pytest.fixture(scope="module")
def returns(certified: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The returns of bets without decisions, by rule set and bet."""
    return {(row["rules"], row["bet"]): row for row in certified if row["strategy"] is None}


@pytest.fixture(scope="module")
def mains(certified: list[dict[str, Any]]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The returns of main bets, by rule set, basis and strategy."""
    mains = [row for row in certified if row["bet"] == "main"]
    return {(row["rules"], row["basis"], row["strategy"]): row for row in mains}


@pytest.mark.slow  # a minute of a core; what it is computed by has quick tests of its own
class TestTheList:
    """``--json``, for programs."""

    @pytest.mark.parametrize(
        ("rules", "bet", "rtp", "declared", "verdict"),
        [
            (BLACKJACK, "perfect_pairs", "95.903614", "95.90", "reproduced"),
            (BLACKJACK, "21+3", "96.296087", "96.30", "reproduced"),
            (MEGA_FIRE_BLAZE, "player_pair", "95.903614", "95.90", "reproduced"),
            (MEGA_FIRE_BLAZE, "dealer_pair", "95.903614", "95.90", "reproduced"),
            (MEGA_FIRE_BLAZE, "21+3", "96.296087", "96.30", "reproduced"),
            (QUANTUM, "player_pair", "93.890675", "93.89", "reproduced"),
            (QUANTUM, "21+3", "95.379030", "95.38", "reproduced"),
            (ZAPPIT, "insurance", "92.604502", "92.60", "reproduced"),
            (BACCARAT, "banker_pair", "89.638554", "95.29", "contradiction"),
            (BACCARAT, "perfect_pair", "86.970609", "95.26", "contradiction"),
            (BACCARAT, "player", "98.764919", None, "none declared"),
            (BLACKJACK, "insurance", "92.530120", None, "none declared"),
        ],
    )
    def test_is_the_table_of_the_readings(
        self,
        returns: dict[tuple[str, str], dict[str, Any]],
        rules: str,
        bet: str,
        rtp: str,
        declared: str | None,
        verdict: str,
    ) -> None:
        """Per cent with six decimals, of the initial stake."""
        certified = returns[rules, bet]

        assert (certified["rtp"], certified["declared"], certified["verdict"]) == (
            rtp,
            declared,
            verdict,
        )
        assert (certified["basis"], certified["strategy"]) == ("initial", None)

    def test_has_the_fraction_behind_each_figure(
        self, returns: dict[tuple[str, str], dict[str, Any]]
    ) -> None:
        """398 of 415, won once in 13.4 rounds."""
        pairs = returns[BLACKJACK, "perfect_pairs"]

        assert (pairs["exact"], pairs["hit_frequency"]) == ("398/415", "7.469880")
        assert pairs["variance"] == "15.629647"

    def test_has_all_ends_of_a_bet_with_their_chances(
        self, returns: dict[tuple[str, str], dict[str, Any]]
    ) -> None:
        """The chances add up to one; with what each end pays, to the return."""
        tie = returns[BACCARAT, "tie"]

        chances = [Fraction(outcome["chance"]) for outcome in tie["outcomes"]]
        paid = [
            Fraction(outcome["chance"]) * Fraction(outcome["pays"]) for outcome in tie["outcomes"]
        ]
        assert sum(chances) == 1
        assert str(sum(paid)) == tie["exact"]

    @pytest.mark.parametrize(
        ("rules", "basis", "strategy", "rtp", "verdict"),
        [
            (MEGA_FIRE_BLAZE, "staked", "cd", "99.5500", "reproduced"),
            (MEGA_FIRE_BLAZE, "staked", "td", "99.5484", "reproduced"),
            (MEGA_FIRE_BLAZE, "initial", "cd", "99.4928", "not reproduced"),
            (MEGA_FIRE_BLAZE, "initial", "td", "99.4910", "not reproduced"),
            (BLACKJACK, "initial", "cd", "99.2926", "not reproduced"),
            (BLACKJACK, "initial", "td", "99.2903", "not reproduced"),
            (ZAPPIT, "initial", "cd", "98.7149", "not reproduced"),
            (ZAPPIT, "staked", "cd", "98.8211", "not reproduced"),
            (QUANTUM, "initial", "cd", "84.2562", "not reproduced"),
        ],
    )
    def test_has_the_main_games_of_the_readings(
        self,
        mains: dict[tuple[str, str, str], dict[str, Any]],
        rules: str,
        basis: str,
        strategy: str,
        rtp: str,
        verdict: str,
    ) -> None:
        """In each way of playing, on each basis."""
        main = mains[rules, basis, strategy]

        assert f"{Decimal(main['rtp']):.4f}" == rtp
        assert main["verdict"] == verdict
        assert "exact" not in main

    def test_says_what_multiplier_cards_would_have_to_add(
        self, mains: dict[tuple[str, str, str], dict[str, Any]]
    ) -> None:
        """Readings, row [QB] main: 15.31 points."""
        assert "15.3138 percentage points" in mains[QUANTUM, "initial", "cd"]["why"]

    def test_has_the_other_readings_with_the_first_return_of_a_bet(
        self, mains: dict[tuple[str, str, str], dict[str, Any]]
    ) -> None:
        """Readings, row [BJ] main: 99.2846 if the dealer never checks."""
        others = mains[BLACKJACK, "initial", "cd"]["other_readings"]

        assert {other["ambiguity"] for other in others} == {
            "look-under-ten",
            "all-lost-to-ten-up-blackjack",
        }
        assert others[1]["rtp"] == "99.284553"
        assert others[1]["adopted"] == "Under an Ace only"

    @pytest.mark.parametrize(
        ("rules", "basis", "strategy", "reading", "rtp"),
        [
            (BLACKJACK, "initial", "td", "Never", "99.2823"),
            (QUANTUM, "initial", "cd", "The dealer stands", "84.5653"),
            (ZAPPIT, "initial", "cd", "Allowed, without doubling", "98.8775"),
            (ZAPPIT, "staked", "cd", "A pair can also be split", "98.8766"),
        ],
    )
    def test_has_the_returns_of_other_readings(
        self,
        mains: dict[tuple[str, str, str], dict[str, Any]],
        rules: str,
        basis: str,
        strategy: str,
        reading: str,
        rtp: str,
    ) -> None:
        """Rows [BJ], [QB] and [ZAP] main."""
        others = mains[rules, basis, strategy]["other_readings"]

        [computed] = [other["rtp"] for other in others if other["reading"] == reading]
        assert f"{Decimal(computed):.4f}" == rtp

    def test_has_the_variance_of_a_main_bet(
        self, mains: dict[tuple[str, str, str], dict[str, Any]]
    ) -> None:
        """Of the initial stake; differences in points."""
        main = mains[BLACKJACK, "initial", "td"]

        assert (main["variance"], main["standard_deviation"]) == ("1.238286", "1.112783")
        assert (main["hit_frequency"], main["difference"]) == ("43.252510", "0.010318")
        assert "variance" not in mains[BLACKJACK, "staked", "td"]

    def test_has_the_best_chart(self, mains: dict[tuple[str, str, str], dict[str, Any]]) -> None:
        """A row per hand, a column per upcard; eleven is not doubled against tens."""
        chart = mains[BLACKJACK, "initial", "td"]["strategy_chart"]

        assert chart["upcards"] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
        rows = {row["hand"]: row["decisions"] for row in chart["rows"]}
        assert rows["hard 11"] == ["DH"] * 8 + ["H", "H"]
        assert "strategy_chart" not in mains[BLACKJACK, "initial", "cd"]

    def test_is_what_the_documentation_prints(self, certified: list[dict[str, Any]]) -> None:
        """Every figure, and the fraction behind it where there is one."""
        text = (Path(settings.BASE_DIR) / "docs" / "certification.md").read_text()

        assert certified
        for row in certified:
            assert row["rtp"] in text
            assert row.get("exact", "") in text

    def test_is_of_the_rule_sets_that_are_named(self) -> None:
        """Baccarat alone."""
        assert {row["rules"] for row in json.loads(certify_output("--json", BACCARAT))} == {
            BACCARAT
        }


@pytest.fixture(scope="module")
def of_fire_blaze() -> str:
    """The text output for Mega Fire Blaze, with single spaces."""
    return " ".join(certify_output(MEGA_FIRE_BLAZE).split())


class TestTheTables:
    """Text output; Mega Fire Blaze takes ten seconds of a core."""

    def test_say_why_a_figure_cannot_be(self) -> None:
        """In a sentence below."""
        text = " ".join(certify_output(BACCARAT).split())

        assert "with any number of decks it is less than 92.3077 %" in text
        assert "no number of decks gives this return" in text

    @pytest.mark.slow
    def test_show_the_levels_of_the_bonus(self, of_fire_blaze: str) -> None:
        """And what its declared return asks of them."""
        assert "│ mega │ 25 │ 0.181391 │ 106.3859 │" in of_fire_blaze
        assert "the declared 97.47 % is possible" in of_fire_blaze

    @pytest.mark.slow
    def test_doubt_no_figure_that_one_basis_reproduces(self, of_fire_blaze: str) -> None:
        """99.55 is reproduced per unit staked, not per initial stake."""
        assert "│ main │ staked cd │ 99.550038 │ 99.55 │ │ reproduced │" in of_fire_blaze
        assert "It differs" not in of_fire_blaze

    @pytest.mark.slow
    def test_name_every_bet_kind(self, of_fire_blaze: str) -> None:
        """Also those without a return."""
        assert all(kind in of_fire_blaze for kind in RULE_SETS[MEGA_FIRE_BLAZE].bet_kinds)

    def test_of_an_unknown_rule_set_are_refused(self) -> None:
        """The error lists the rule sets."""
        with pytest.raises(CommandError, match='no rule set "roulette/1"; there are blackjack/1'):
            certify_output("roulette/1")
