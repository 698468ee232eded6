"""The register of rule interpretations against the headings of the sheets and the rules."""

from typing import Final

import pytest

from rounds.rules.ambiguities.ambiguity import Ambiguity
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet
from tests.rounds.rules.sheet_headings import HEADINGS, has_heading

RULES_BY_SHEET: Final = {rules.sheet: rules for rules in RULE_SETS.values()}


def links_of(rules: RuleSet) -> list[str]:
    """Every link of the rule set and its rules, repeated as often as it occurs."""
    return [key for cited in rules.citations.values() for key in cited.rests_on] + [
        *rules.ambiguities
    ]


@pytest.mark.parametrize("entry", REGISTER.values(), ids=REGISTER)
class TestAnEntry:
    def test_names_headings_that_the_sheets_have(self, entry: Ambiguity) -> None:
        """So that a compliance officer finds them in print."""
        assert entry.places
        for sheet, heading in entry.places:
            assert has_heading(sheet, heading), f"[{sheet}] has no heading {heading!r}"

    def test_offers_different_readings(self, entry: Ambiguity) -> None:
        """At least two, of which the first is the one that is adopted."""
        says = [reading.says for reading in entry.readings]

        assert len(set(says)) == len(says) >= 2
        assert entry.settled_by.says == says[0]

    def test_has_complete_sentences(self, entry: Ambiguity) -> None:
        """Sentences end with a full stop, names of readings do not."""
        sentences = [entry.question, entry.why, *(reading.means for reading in entry.readings)]

        assert entry.title
        assert all(text.endswith(".") for text in sentences)
        assert not any(reading.says.endswith(".") for reading in entry.readings)

    def test_is_linked_from_exactly_the_games_of_its_sheets(self, entry: Ambiguity) -> None:
        """By a rule or, if no single rule depends on it, by the rule set."""
        linked = {rules.sheet for rules in RULE_SETS.values() if entry.key in links_of(rules)}

        assert linked == set(entry.sheets)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
class TestARuleSet:
    def test_links_existing_entries(self, rules: RuleSet) -> None:
        """A link to a missing entry would break the page."""
        assert set(links_of(rules)) <= REGISTER.keys()

    def test_links_no_entry_twice_from_one_place(self, rules: RuleSet) -> None:
        """The pages list every link."""
        assert len(set(rules.ambiguities)) == len(rules.ambiguities)
        for cited in rules.citations.values():
            assert len(set(cited.rests_on)) == len(cited.rests_on), cited.title

    def test_cites_headings_that_its_sheet_has(self, rules: RuleSet) -> None:
        """A heading and one below it are separated by a comma."""
        for cited in rules.citations.values():
            if cited.sheet != "FEED":
                assert has_heading(cited.sheet, cited.heading), cited.heading


class TestTheRegister:
    def test_covers_every_sheet(self) -> None:
        """Each of the five has points it does not settle."""
        assert {sheet for entry in REGISTER.values() for sheet in entry.sheets} == set(HEADINGS)

    @pytest.mark.parametrize(
        ("sheet", "reason", "entry"),
        [
            ("BJ", "lose-to-blackjack", "all-lost-to-ten-up-blackjack"),
            ("BJ", "void-malfunction", "cancelled-round-refund"),
            ("BJ", "straight", "straight-ace"),
            ("MFB", "double-returned", "split-lost-double-returned"),
            ("MFB", "bonus-won", "fire-blaze-rows-add-up"),
            ("MFB", "golden-chip", "golden-chip-value"),
            ("QB", "perfect-pair", "lost-pay-tables"),
            ("QB", "multiplied-win", "multiplier-sum"),
            ("BAC", "tie", "tie-nine-for-one"),
            ("BAC", "perfect_pair", "perfect-pair-paid-once"),
            ("BAC", "banker_pair", "pair-returns-contradict-odds"),
            ("ZAP", "insurance-won", "insurance-odd-cent"),
        ],
    )
    def test_is_linked_from_the_interpreted_rules(
        self, sheet: str, reason: str, entry: str
    ) -> None:
        """The page of rule interpretations marks each of them."""
        assert entry in RULES_BY_SHEET[sheet].citations[reason].rests_on

    @pytest.mark.parametrize(
        ("sheet", "entry"),
        [
            ("QB", "soft-seventeen"),
            ("BAC", "baccarat-decks"),
            ("ZAP", "after-a-zap"),
            ("BJ", "dealing-order"),
            ("MFB", "off-line-hand"),
        ],
    )
    def test_is_linked_from_a_game_if_no_rule_of_a_bet_depends_on_it(
        self, sheet: str, entry: str
    ) -> None:
        """They decide whether a round is held, not what a bet pays."""
        assert entry in RULES_BY_SHEET[sheet].ambiguities
