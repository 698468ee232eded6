"""What is told of a bet at baccarat: both hands, the third-card rule, the decision, the money."""

import pytest

from rounds.rules.baccarat import explained as baccarat
from rounds.rules.explained import money, placing, void
from rounds.rules.explained.explanation import BetName, Cards, ExactMoney, Money, Step, say
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import BACCARAT, CLOSED_AT, OPENED_AT, side
from tests.rounds.rules.traces import ONE_TO_ONE, sentences
from tests.rounds.rules.traces import told as told_at

TEN = Money(1000)
NATURAL = "P:4S B:7H P:5D B:TC"
"""Nine against seven."""


def told(text: str, kind: str, **fields: object) -> list[Step]:
    """The steps of a bet of this kind."""
    return told_at(text, side(kind, **fields), rules=BACCARAT)


class TestABetOnAHand:
    def test_that_wins_is_told_with_both_hands(self) -> None:
        """A natural nine against seven pays 1:1."""
        assert told(NATURAL, "player") == [
            say(placing.STAKED, stake=TEN, bet=BetName("player")),
            say(baccarat.PLAYER_OPENED, cards=Cards(("4S", "5D")), points=9),
            say(baccarat.BANKER_OPENED, cards=Cards(("7H", "TC")), points=7),
            say(baccarat.NATURALS),
            say(baccarat.RESULTS["player"], rule="player", player=9, banker=7, count=4),
            say(money.WINS, cash=1000, staked=TEN, odds=ONE_TO_ONE, winnings=TEN),
            say(money.STAKE_BACK, cash=1000, staked=TEN),
        ]

    def test_on_banker_pays_less_a_commission_rounded(self) -> None:
        """0.95 of 0.33 is 31.35 cents, 0.31."""
        steps = told("P:7H B:4S P:TC B:5D", "banker", stake=33)

        assert steps[-4:] == [
            say(baccarat.RESULTS["banker"], rule="banker", player=7, banker=9, count=4),
            say(money.WINS, cash=31, staked=Money(33), odds=Odds(19, 20), winnings=Money(31)),
            say(money.ROUNDED, exact=ExactMoney(627, 20)),
            say(money.STAKE_BACK, cash=33, staked=Money(33)),
        ]

    @pytest.mark.parametrize(
        ("kind", "text", "sentence"),
        [
            ("banker", NATURAL, baccarat.PLAYER_WON),
            ("player", "P:7H B:4S P:TC B:5D", baccarat.BANKER_WON),
            ("tie", NATURAL, baccarat.PLAYER_WON),
        ],
    )
    def test_that_loses_names_the_nearer_hand(self, kind: str, text: str, sentence: str) -> None:
        """[BAC] Regole del baccarat."""
        steps = told(text, kind)

        assert (steps[-2].text, steps[-2].rule) == (sentence, "lost")
        assert steps[-1] == say(money.STAKE_LOST, staked=TEN)

    def test_comes_back_on_a_tie(self) -> None:
        """Nine each."""
        steps = told("P:4S B:7H P:5D B:2C", "banker")

        assert steps[-2:] == [
            say(baccarat.RESULTS["push-on-tie"], rule="push-on-tie", player=9, banker=9, count=4),
            say(money.STAKE_RETURNED, cash=1000, staked=TEN),
        ]

    def test_out_of_time_is_void(self) -> None:
        """Detail 15; the cards do not matter."""
        texts = [
            sentences(told(NATURAL, "player", placed_at=at))[1:]
            for at in (OPENED_AT - 1, CLOSED_AT + 1)
        ]

        assert texts == [
            [void.TOO_EARLY, money.STAKE_RETURNED],
            [void.TOO_LATE, money.STAKE_RETURNED],
        ]


class TestTheThirdCard:
    """[BAC] Regola della terza carta."""

    @pytest.mark.parametrize(
        ("text", "told_of_it"),
        [
            ("P:4S B:7H P:2D B:TC", [say(baccarat.PLAYER_STOOD), say(baccarat.BANKER_STOOD_ALONE)]),
            (
                "P:4S B:3H P:2D B:TC B:5C",
                [
                    say(baccarat.PLAYER_STOOD),
                    say(baccarat.BANKER_DREW_ALONE, card=Cards(("5C",)), points=8),
                ],
            ),
            (
                "P:2S B:3H P:2D B:TC P:7C B:5C",
                [
                    say(baccarat.PLAYER_DREW, card=Cards(("7C",)), points=1),
                    say(
                        baccarat.BANKER_DREW,
                        third=7,
                        opening=3,
                        card=Cards(("5C",)),
                        points=8,
                    ),
                ],
            ),
            (
                "P:2S B:3H P:2D B:TC P:8C",
                [
                    say(baccarat.PLAYER_DREW, card=Cards(("8C",)), points=2),
                    say(baccarat.BANKER_STOOD, third=8, opening=3),
                ],
            ),
        ],
    )
    def test_is_told_with_its_rule(self, text: str, told_of_it: list[Step]) -> None:
        """Player draws to 5; Banker by the printed table, alone to 5."""
        assert told(text, "player")[3:5] == told_of_it


class TestASideBet:
    @pytest.mark.parametrize(
        ("kind", "openings"),
        [
            ("player_pair", [baccarat.PLAYER_OPENED]),
            ("banker_pair", [baccarat.BANKER_OPENED]),
            ("either_pair", [baccarat.PLAYER_OPENED, baccarat.BANKER_OPENED]),
            ("perfect_pair", [baccarat.PLAYER_OPENED, baccarat.BANKER_OPENED]),
        ],
    )
    def test_on_a_pair_looks_at_first_cards_alone(self, kind: str, openings: list[str]) -> None:
        """Fours against kings of one suit win all four; nine against seven none."""
        won = told("P:4S B:KH P:4S B:KH", kind)
        lost = told(NATURAL, kind)

        assert sentences(won)[1:-2] == [*openings, baccarat.RESULTS[kind]]
        assert sentences(lost)[1:-1] == [*openings, baccarat.LOST[kind]]
        assert (won[-3].rule, lost[-2].rule) == (kind, "side-bet-lost")

    @pytest.mark.parametrize(("kind", "other"), [("small", "big"), ("big", "small")])
    def test_on_the_number_of_cards_counts_them(self, kind: str, other: str) -> None:
        """Four cards are small, five are big."""
        text = {"small": NATURAL, "big": "P:2S B:3H P:2D B:TC P:8C"}

        won, lost = told(text[kind], kind), told(text[other], kind)

        assert next(step for step in won if step.rule).values["count"] == len(text[kind].split())
        assert baccarat.RESULTS[kind] in sentences(won)
        assert baccarat.LOST[kind] in sentences(lost)
