"""Explanations name the figures of the declaration."""

import pytest

from rounds.explanations.sentences import rule_title, sentences
from rounds.rules.baccarat.explained import explain
from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.baccarat.game import GAME as BACCARAT_GAME
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet
from tests.rounds.rules.dealing import BACCARAT, MEGA_FIRE_BLAZE, bet, dealt, side
from tests.rounds.rules.toy_rule_sets import (
    FOUR_PER_CENT,
    NO_COMMISSION,
    ODDS,
    SEVEN_CARDS,
    SIX_TO_FIVE,
    ends_level,
)


def explanation_text(rules: RuleSet, round_: Round) -> str:
    """All sentences about the only bet of a round."""
    grades = rules.judge(round_, None).grades
    [explanation] = rules.explain(round_, list(zip(round_.bets, grades, strict=True)))
    assert explanation.adds_up
    return " ".join(sentences(explanation.steps))


class TestTheExplanation:
    def test_of_a_blackjack_names_the_declared_odds(self) -> None:
        """6:5 of 10.00 is 12.00."""
        round_ = dealt("1:AS D:9H 1:KD D:8C", bet(stake=1000))

        output = explanation_text(SIX_TO_FIVE, round_)

        assert ODDS.findall(output) == ["6:5"]
        assert "€12.00" in output

    def test_of_a_charlie_names_the_declared_number_of_cards(self) -> None:
        """Seven cards of 20 against 17; the released game needs ten cards."""
        cards = "1:2S 2:5H D:TH 1:2H 2:6H D:7C 1:2D 1:2C 1:3S 1:3H 1:6S"
        round_ = dealt(cards, bet(play="HHHHH"), rules=MEGA_FIRE_BLAZE)

        output = explanation_text(SEVEN_CARDS, round_)

        assert "reached 7 cards" in output
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

    def test_follows_the_winning_condition_not_the_name_of_the_bet(self) -> None:
        """A bet named big that wins on ties is not explained by its number of cards."""
        bets = {"big": BACCARAT_GAME.bets["big"]._replace(wins=ends_level)}
        game = BaccaratGame(decks=8, bets=bets)
        round_ = dealt("P:4S B:7H P:5D B:2C", side("big"), rules=BACCARAT)
        grades = game.judge(round_, None).grades

        [explanation] = explain(game, round_, list(zip(round_.bets, grades, strict=True)))

        output = " ".join(sentences(explanation.steps))
        assert "five or six" not in output
        assert "This bet wins with these cards." in output
