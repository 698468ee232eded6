"""The public catalogue of rule sets."""

import json
from datetime import date

import pytest

from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import RULE_SETS, game_of, rule_set
from tests.rounds.rules.golden_verdicts import FEEDS, GOLDEN, golden_verdicts

NEW_YEAR = date(2026, 1, 1)


class TestTheCatalogue:
    """Contract, ``rules``, and readings, the table of sheets."""

    def test_lists_every_rule_set(self) -> None:
        """Sheet, decks, boxes, use of a shoe, and first day in force."""
        listed = {
            name: (rules.sheet, rules.decks, rules.boxes, rules.uses_shoe, rules.in_force_from)
            for name, rules in RULE_SETS.items()
        }

        assert listed == {
            "blackjack/1": ("BJ", 8, 7, True, NEW_YEAR),
            "mega-fire-blaze-blackjack/1": ("MFB", 8, 2, True, NEW_YEAR),
            "quantum-blackjack/1": ("QB", 6, 7, True, NEW_YEAR),
            "baccarat/1": ("BAC", 8, 0, True, NEW_YEAR),
            "zappit-blackjack/1": ("ZAP", 6, 3, False, NEW_YEAR),
        }

    def test_raises_key_error_for_an_unknown_rule_set(self) -> None:
        """The feed turns it into a rejected line."""
        with pytest.raises(KeyError):
            rule_set("roulette/1")

    @pytest.mark.parametrize("name", RULE_SETS)
    def test_finds_each_by_its_name(self, name: str) -> None:
        """And each has the name of its game."""
        rules = rule_set(name)

        assert rules.name == name
        assert rules.game

    @pytest.mark.parametrize(
        ("name", "game"), [("baccarat/1", "Live Baccarat"), ("roulette/1", "roulette/1")]
    )
    def test_names_the_game_or_an_unknown_rule_set_itself(self, name: str, game: str) -> None:
        """Old totals are shown also by a version that lacks their rules."""
        assert game_of(name) == game

    @pytest.mark.parametrize(
        ("name", "kinds"),
        [
            ("blackjack/1", "main insurance perfect_pairs 21+3"),
            (
                "mega-fire-blaze-blackjack/1",
                "main insurance 21+3 player_pair dealer_pair mega_fire_blaze",
            ),
            ("quantum-blackjack/1", "main insurance player_pair 21+3"),
            ("zappit-blackjack/1", "main insurance"),
        ],
    )
    def test_lists_the_kinds_of_bets_of_each(self, name: str, kinds: str) -> None:
        """Contract, "A bet"."""
        assert rule_set(name).bet_kinds == tuple(kinds.split())


class TestACitation:
    """The rule with its sheet heading, named by every grade."""

    @pytest.mark.parametrize("name", FEEDS)
    def test_exists_for_every_reason_of_the_public_rounds(self, name: str) -> None:
        """Every grade has a reason."""
        citations = rule_set(name).citations
        graded = [grade for _, verdict in golden_verdicts(name) for grade in verdict.grades]

        assert len(graded) > 100
        assert all(grade.reasons for grade in graded)
        assert {reason for grade in graded for reason in grade.reasons} <= citations.keys()

    @pytest.mark.parametrize("name", RULE_SETS)
    def test_names_a_sheet_a_heading_a_title_and_a_summary(self, name: str) -> None:
        """Of its own sheet, or of the feed contract if the sheet is silent."""
        rules = rule_set(name)

        for citation in rules.citations.values():
            assert citation.sheet in {rules.sheet, "FEED"}
            assert all(citation[:4])
            assert citation.summary.endswith(".")


class TestAnAnomaly:
    """The contract's codes."""

    def test_has_a_text_of_one_sentence(self) -> None:
        """Fourteen found by the rules, one by the limits of a table, two on arrival."""
        assert len(ANOMALIES) == 17
        assert all(text.endswith(".") and text.count(".") == 1 for text in ANOMALIES.values())

    @pytest.mark.parametrize("feed", FEEDS.values())
    def test_of_the_public_cases_is_known(self, feed: str) -> None:
        """Every code in the recorded results has a text."""
        lines = (GOLDEN / f"{feed}.expected.ndjson").read_text().splitlines()
        codes = {code for line in lines for code in json.loads(line).get("anomalies", ())}

        assert codes <= ANOMALIES.keys()
