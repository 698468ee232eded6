"""The texts of the rules name only the declared figures."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from django.utils.translation import override

from rounds.explanations.sentences import rule_summary, rule_title
from rounds.formatting import format_odds
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games import live_blackjack
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet
from tests.rounds.rules.toy_rule_sets import BUST_OF_22, ODDS, TOYS, toy_of

RULES: Final = Path(live_blackjack.__file__).parents[2]
SHARE: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s%")
NAMED: Final = re.compile(
    r"\d+(?:[.,]\d+)?:\d|\d\s*%%|\bone and a half\b|\bfor 1\b|\b(?:ten|nine)[ -]cards?\b",
    re.IGNORECASE,
)
EVERY: Final = (*RULE_SETS.values(), *TOYS)


def declared_odds(rules: RuleSet) -> Mapping[str, set[Odds]]:
    """By rule, all odds at which the declaration pays it."""
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        pays = {kind: {declared_bet.pays} for kind, declared_bet in game.bets.items()}
        return pays | {"banker": {game.bets["banker"].pays, Odds(1, 1)}}
    assert isinstance(game, BlackjackGame)
    pays = {
        "win": {game.win_pays},
        "blackjack": {game.blackjack_pays},
        "charlie": {game.win_pays},
        "multiplied-win": {game.win_pays},
        "multiplied-blackjack": {game.blackjack_pays},
        "insurance-won": {game.insurance_pays},
    }
    for side_bet in game.side_bets:
        for combination, odds in side_bet.pays.items():
            pays.setdefault(combination, set()).add(odds)
    return pays


def texts_by_rule(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Each rule's key with each of its texts in the active language."""
    for key, cited in rules.citations.items():
        yield key, rule_title(cited)
        yield key, rule_summary(cited)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.name)
class TestTheTextOfARule:
    def test_names_exactly_the_declared_odds(self, rules: RuleSet, language: str) -> None:
        """In the title, and no other odds in title or summary."""
        with override(language):
            declared = {
                key: {format_odds(ratio) for ratio in odds}
                for key, odds in declared_odds(rules).items()
            }
            output: dict[str, set[str]] = {}
            for key, text in texts_by_rule(rules):
                output.setdefault(key, set()).update(ODDS.findall(text))

        wrong = {key: odds for key, odds in output.items() if odds - declared.get(key, set())}
        assert wrong == {}
        assert all(output[key] for key in declared if key in rules.citations)

    def test_names_exactly_the_declared_shares_and_counts(
        self, rules: RuleSet, language: str
    ) -> None:
        """The commission of baccarat and the cards of a Charlie; no other share."""
        game = rules.declaration
        with override(language):
            shares = {
                (key, share) for key, text in texts_by_rule(rules) for share in SHARE.findall(text)
            }
            charlie = [text for key, text in texts_by_rule(rules) if key == "charlie"]

        if isinstance(game, BaccaratGame):
            won, staked = game.bets["banker"].pays
            less = {("banker", f"{100 - 100 * won // staked}")} if won < staked else set()
            assert shares == less
        else:
            assert isinstance(game, BlackjackGame)
            assert shares == set()
            assert all(re.search(rf"\b{game.most_cards}\b", text) for text in charlie)


class TestTheTextOfAPushOnABust:
    def test_is_that_of_the_declared_bust(self) -> None:
        """Three cards at Quantum; 22 at the toy with the same citations."""
        released = RULE_SETS["quantum-blackjack/1"].citations["push-on-bust"]
        toy = BUST_OF_22.citations["push-on-bust"]

        assert "exactly three cards" in rule_summary(released)
        assert "three" not in rule_title(toy) + rule_summary(toy)
        assert "multiplier card" in rule_summary(toy)


class TestARuleSet:
    def test_is_rejected_if_it_cites_a_bet_without_odds(self) -> None:
        """A text without its figure would fail on the page of a customer's bet."""
        with pytest.raises(TypeError, match="toy-blackjack/1: perfect-pair cites 'odds'"):
            toy_of(RULE_SETS["blackjack/1"], replace(live_blackjack.GAME, side_bets=()))


class TestTheSources:
    def test_contain_no_declared_figure_as_text(self) -> None:
        """Odds, shares and counts are placeholders; only the register quotes the sheets."""
        files = [file for file in RULES.rglob("*.py") if "ambiguities" not in file.parts]

        written = [
            f"{file.name}: {node.value}"
            for file in files
            for call in ast.walk(ast.parse(file.read_text()))
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "gettext_noop"
            for node in call.args
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and NAMED.search(node.value)
        ]

        assert len(files) > 50
        assert written == ["citations.py: " + COMMISSION_OFF_EVENS]


COMMISSION_OFF_EVENS: Final = (
    "Banker's hand is nearer to nine than Player's. A bet on Banker pays 1:1 less a commission of"
    " %(commission)s."
)


class TestTheRegister:
    @pytest.mark.parametrize("key", REGISTER)
    def test_adopts_only_declared_odds(self, key: str) -> None:
        """An entry may quote other odds from a sheet, but adopts those that a game pays."""
        entry = REGISTER[key]
        resting = [
            rules
            for rules in RULE_SETS.values()
            if key in rules.ambiguities
            or any(key in cited.rests_on for cited in rules.citations.values())
        ]
        declared = {
            format_odds(odds)
            for rules in resting
            for of_rule in declared_odds(rules).values()
            for odds in of_rule
        }

        adopted = entry.settled_by
        output = set(ODDS.findall(f"{adopted.says} {adopted.means}"))

        assert output <= declared
