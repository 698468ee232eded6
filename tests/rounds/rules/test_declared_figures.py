"""No text of a rule says another figure than the declaration by which it pays.

Every rule of every rule set is worded, in both languages, and each figure in it is held to the
declaration; so are toys that declare other figures with the citations of the released games.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest
from django.utils.translation import override

from rounds.explanations.sentences import rule_summary, rule_title, sentences
from rounds.formatting import format_odds
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.baccarat.citations import citations_of
from rounds.rules.baccarat.coup import Coup
from rounds.rules.baccarat.explained import explain
from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.baccarat.game import GAME as BACCARAT_GAME
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack import bust
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games import live_blackjack, mega_fire_blaze, quantum
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY
from rounds.rules.blackjack.side_bets import SideBet, box_pair, dealer_pair
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet
from tests.rounds.rules.dealing import BACCARAT, MEGA_FIRE_BLAZE, bet, dealt, side

RULES: Final = Path(live_blackjack.__file__).parents[2]
ODDS: Final = re.compile(r"\d+(?:[.,]\d+)?:\d+")
SHARE: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s%")
NAMED: Final = re.compile(
    r"\d+(?:[.,]\d+)?:\d|\d\s*%%|\bone and a half\b|\bfor 1\b|\b(?:ten|nine)[ -]cards?\b",
    re.IGNORECASE,
)


def toy_of(released: RuleSet, game: BlackjackGame) -> RuleSet:
    """A version with another declaration and the citations that were written for the released."""
    return rule_set_of(
        game,
        name=f"toy-{released.name}",
        title="Toy",
        sheet=released.sheet,
        in_force_from=date(2027, 1, 1),
        uses_shoe=True,
        citations=released.citations,
        ambiguities=(),
    )


def ends_level(coup: Coup) -> bool:
    """A rule of its own, of which no sentence is known."""
    return coup.player_points == coup.banker_points


SIX_TO_FIVE: Final = toy_of(
    RULE_SETS["blackjack/1"],
    replace(
        live_blackjack.GAME,
        win_pays=Odds(2, 1),
        blackjack_pays=Odds(6, 5),
        insurance_pays=Odds(5, 2),
        side_bets=tuple(
            each._replace(pays={name: odds.plus(Odds(1, 1)) for name, odds in each.pays.items()})
            for each in live_blackjack.GAME.side_bets
        ),
    ),
)
SEVEN_CARDS: Final = toy_of(
    RULE_SETS["mega-fire-blaze-blackjack/1"],
    replace(
        mega_fire_blaze.GAME,
        most_cards=7,
        side_bets=(
            *(each for each in mega_fire_blaze.GAME.side_bets if each.kind == "21+3"),
            SideBet("player_pair", box_pair, PAIRS_PAY),
            SideBet(
                "dealer_pair",
                dealer_pair,
                {name: Odds(8, 1) for name in PAIRS_PAY},
            ),
        ),
    ),
)
BUST_OF_22: Final = toy_of(
    RULE_SETS["quantum-blackjack/1"],
    replace(quantum.GAME, blackjack_pays=Odds(2, 1), bust_pushes=bust.with_22),
)


def baccarat_toy(name: str, **pays: Odds) -> RuleSet:
    """Baccarat at other odds."""
    bets = {
        kind: each._replace(pays=pays.get(kind, each.pays))
        for kind, each in BACCARAT_GAME.bets.items()
    }
    game = BaccaratGame(decks=8, bets=MappingProxyType(bets))
    return replace(
        BACCARAT_1,
        name=name,
        declaration=game,
        citations=citations_of(game),
        judge=game.judge,
        explain=partial(explain, game),
    )


FOUR_PER_CENT: Final = baccarat_toy(
    "toy-baccarat/1", banker=Odds(24, 25), tie=Odds(9, 1), small=Odds(8, 5), big=Odds(1, 2)
)
NO_COMMISSION: Final = baccarat_toy("toy-baccarat/2", banker=Odds(1, 1))
TOYS: Final = (SIX_TO_FIVE, SEVEN_CARDS, BUST_OF_22, FOUR_PER_CENT, NO_COMMISSION)
EVERY: Final = (*RULE_SETS.values(), *TOYS)


def declared_odds(rules: RuleSet) -> Mapping[str, set[Odds]]:
    """By the rule, all odds at which the declaration pays it."""
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        pays = {kind: {each.pays} for kind, each in game.bets.items()}
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


def worded(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Every rule's key with each of its texts in the active language."""
    for key, cited in rules.citations.items():
        yield key, rule_title(cited)
        yield key, rule_summary(cited)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.name)
class TestTheTextOfARule:
    def test_says_the_odds_that_are_declared_and_no_others(
        self, rules: RuleSet, language: str
    ) -> None:
        """What a rule pays stands in its title, and whatever odds stand in its texts are its."""
        with override(language):
            declared = {
                key: {format_odds(each) for each in odds}
                for key, odds in declared_odds(rules).items()
            }
            output: dict[str, set[str]] = {}
            for key, text in worded(rules):
                output.setdefault(key, set()).update(ODDS.findall(text))

        wrong = {key: odds for key, odds in output.items() if odds - declared.get(key, set())}
        assert wrong == {}
        assert all(output[key] for key in declared if key in rules.citations)

    def test_says_the_share_and_the_count_that_are_declared(
        self, rules: RuleSet, language: str
    ) -> None:
        """A commission of baccarat, the cards of a Charlie; nothing else is a share."""
        game = rules.declaration
        with override(language):
            shares = {(key, share) for key, text in worded(rules) for share in SHARE.findall(text)}
            charlie = [text for key, text in worded(rules) if key == "charlie"]

        if isinstance(game, BaccaratGame):
            won, staked = game.bets["banker"].pays
            less = {("banker", f"{100 - 100 * won // staked}")} if won < staked else set()
            assert shares == less
        else:
            assert isinstance(game, BlackjackGame)
            assert shares == set()
            assert all(re.search(rf"\b{game.most_cards}\b", text) for text in charlie)


class TestTheTextOfABust:
    def test_that_pushes_is_that_of_the_declared_one(self) -> None:
        """With three cards at Quantum; with 22 at the toy that took its citations over."""
        released = RULE_SETS["quantum-blackjack/1"].citations["push-on-bust"]
        toy = BUST_OF_22.citations["push-on-bust"]

        assert "exactly three cards" in rule_summary(released)
        assert "three" not in rule_title(toy) + rule_summary(toy)
        assert "multiplier card" in rule_summary(toy)


class TestARuleSet:
    def test_is_refused_that_cites_what_it_does_not_pay(self) -> None:
        """A text that lacks its figure would fail on the page of a customer's bet."""
        with pytest.raises(TypeError, match="toy-blackjack/1: perfect-pair cites 'odds'"):
            toy_of(RULE_SETS["blackjack/1"], replace(live_blackjack.GAME, side_bets=()))


def explanation_text(rules: RuleSet, round_: Round) -> str:
    """All sentences about the bet of a round, as a letter has them."""
    grades = rules.judge(round_, None).grades
    [explanation] = rules.explain(round_, list(zip(round_.bets, grades, strict=True)))
    assert explanation.adds_up
    return " ".join(sentences(explanation.steps))


class TestTheExplanation:
    def test_of_a_blackjack_at_other_odds_names_those(self) -> None:
        """6:5 of 10.00 is 12.00."""
        round_ = dealt("1:AS D:9H 1:KD D:8C", bet(stake=1000))

        output = explanation_text(SIX_TO_FIVE, round_)

        assert ODDS.findall(output) == ["6:5"]
        assert "€12.00" in output

    def test_of_seven_cards_is_a_charlie_where_that_is_declared(self) -> None:
        """Seven cards of 20 beat 21; the game that it was written for wants ten."""
        cards = "1:2S 2:5H D:TH 1:2H 2:6H D:7C 1:2D 1:2C 1:3S 1:3H 1:6S"
        round_ = dealt(cards, bet(play="HHHHH"), rules=MEGA_FIRE_BLAZE)

        output = explanation_text(SEVEN_CARDS, round_)

        assert "came to 7 cards" in output
        assert rule_title(SEVEN_CARDS.citations["charlie"]) == "7-card Charlie: 1:1"

    @pytest.mark.parametrize(
        ("rules", "words", "won"),
        [
            (FOUR_PER_CENT, "the bet wins, less a commission of 4 %.", "€9.60"),
            (NO_COMMISSION, "the bet wins.", "€10.00"),
            (BACCARAT_1, "the bet wins, less a commission of 5 %.", "€9.50"),
        ],
        ids=["four per cent", "none", "released"],
    )
    def test_of_the_banker_names_the_commission(self, rules: RuleSet, words: str, won: str) -> None:
        """Of 10.00 at 24:25, 1:1 and 19:20."""
        round_ = dealt("P:7H B:4S P:TC B:5D", side("banker", stake=1000), rules=BACCARAT)

        output = explanation_text(rules, round_)

        assert words in output
        assert f"wins {won}" in output

    def test_goes_by_what_decides_and_not_by_the_name_of_the_bet(self) -> None:
        """A bet called big that ties win is not told as one on five or six cards."""
        bets = {"big": BACCARAT_GAME.bets["big"]._replace(wins=ends_level)}
        game = BaccaratGame(decks=8, bets=bets)
        round_ = dealt("P:4S B:7H P:5D B:2C", side("big"), rules=BACCARAT)
        grades = game.judge(round_, None).grades

        [explanation] = explain(game, round_, list(zip(round_.bets, grades, strict=True)))

        output = " ".join(sentences(explanation.steps))
        assert "five or six" not in output
        assert "The cards are those on which this bet wins." in output


class TestTheSources:
    def test_write_no_figure_out_that_is_declared(self) -> None:
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
    def test_adopts_odds_that_a_game_resting_on_it_declares(self, key: str) -> None:
        """Its texts quote printed sheets; what it says we settle by is what we settle by."""
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
