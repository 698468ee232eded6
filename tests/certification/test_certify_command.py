"""``manage.py certify``: the table of declared returns, computed."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rounds.rules.catalogue import RULE_SETS
from tests.rounds.rules.dealing import BACCARAT, BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT


def printed(*arguments: str) -> str:
    """What the command prints."""
    out = io.StringIO()
    call_command("certify", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def returns() -> dict[tuple[str, str], dict[str, Any]]:
    """All returns of bets without decisions as JSON tells them, by rule set and bet."""
    told = json.loads(printed("--json"))
    return {(one["rules"], one["bet"]): one for one in told if one["strategy"] is None}


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
        told = returns[rules, bet]

        assert (told["rtp"], told["declared"], told["verdict"]) == (rtp, declared, verdict)
        assert (told["basis"], told["strategy"]) == ("initial", None)

    def test_has_the_fraction_behind_each_figure(
        self, returns: dict[tuple[str, str], dict[str, Any]]
    ) -> None:
        """398 of 415, won once in 13.4 rounds."""
        pairs = returns[BLACKJACK, "perfect_pairs"]

        assert (pairs["exact"], pairs["hit_frequency"]) == ("398/415", "7.469880")
        assert pairs["variance"] == "15.629647"

    def test_is_of_the_rule_sets_that_are_named(self) -> None:
        """Zappit alone."""
        assert {one["rules"] for one in json.loads(printed("--json", ZAPPIT))} == {ZAPPIT}


class TestTheTables:
    """For people."""

    def test_say_why_a_figure_cannot_be(self) -> None:
        """In a sentence below."""
        text = " ".join(printed(BACCARAT).split())

        assert "with any number of decks they give less than 92.3077 %" in text
        assert "no number of decks gives it" in text

    def test_show_the_levels_of_the_bonus(self) -> None:
        """And what its declared return asks of them."""
        text = " ".join(printed(MEGA_FIRE_BLAZE).split())

        assert "│ mega │ 25 │ 0.181391 │ 106.3859 │" in text
        assert "97.47 % is declared and attainable" in text

    def test_name_every_bet_kind(self) -> None:
        """What is not certified is named too."""
        for name, rules in RULE_SETS.items():
            text = printed(name)
            assert all(kind in text for kind in rules.bet_kinds)

    def test_of_an_unknown_rule_set_are_refused(self) -> None:
        """With the names of those that there are."""
        with pytest.raises(CommandError, match='no rule set "roulette/1"; there are blackjack/1'):
            printed("roulette/1")
