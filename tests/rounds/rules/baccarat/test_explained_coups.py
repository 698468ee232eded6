"""The explanation of a baccarat bet: both hands, the third-card rule, the result, the money."""

import pytest

from rounds.rules.baccarat import explained as baccarat
from rounds.rules.explained import money, placing, void
from rounds.rules.explained.explanation import BetName, Cards, ExactMoney, Money, Step, make_step
from rounds.rules.odds import Odds, Percent
from tests.rounds.rules.dealing import BACCARAT, CLOSED_AT, OPENED_AT, side
from tests.rounds.rules.traces import ONE_TO_ONE, sentences, steps_of

TEN = Money(1000)
NATURAL = "P:4S B:7H P:5D B:TC"
"""Nine against seven."""


def coup_steps(text: str, kind: str, **fields: object) -> list[Step]:
    """The steps of a bet of this kind."""
    return steps_of(text, side(kind, **fields), rules=BACCARAT)


class TestABetOnAHand:
    def test_that_wins_is_explained_with_both_hands(self) -> None:
        """A natural nine against seven pays 1:1."""
        assert coup_steps(NATURAL, "player") == [
            make_step(placing.STAKED, stake=TEN, bet=BetName("player")),
            make_step(baccarat.PLAYER_OPENED, cards=Cards(("4S", "5D")), points=9),
            make_step(baccarat.BANKER_OPENED, cards=Cards(("7H", "TC")), points=7),
            make_step(baccarat.NATURALS),
            make_step(baccarat.RESULTS["player"], rule="player", player=9, banker=7, count=4),
            make_step(money.WINS, cash=1000, staked=TEN, odds=ONE_TO_ONE, winnings=TEN),
            make_step(money.STAKE_BACK, cash=1000, staked=TEN),
        ]

    def test_on_banker_pays_less_a_commission_rounded(self) -> None:
        """0.95 of 0.33 is 31.35 cents, 0.31."""
        steps = coup_steps("P:7H B:4S P:TC B:5D", "banker", stake=33)

        assert steps[-4:] == [
            make_step(
                baccarat.RESULTS["banker"],
                rule="banker",
                player=7,
                banker=9,
                count=4,
                commission=Percent(Odds(1, 20)),
            ),
            make_step(money.WINS, cash=31, staked=Money(33), odds=Odds(19, 20), winnings=Money(31)),
            make_step(money.ROUNDED, exact=ExactMoney(627, 20)),
            make_step(money.STAKE_BACK, cash=33, staked=Money(33)),
        ]

    @pytest.mark.parametrize(
        ("stake", "sentence"), [(9, money.ROUNDED), (10, money.HALF_CENT_UP), (33, money.ROUNDED)]
    )
    def test_on_banker_names_half_a_cent(self, stake: int, sentence: str) -> None:
        """8.55, 9.5 and 31.35 cents: only the second is rounded up by the rule on halves."""
        steps = coup_steps("P:7H B:4S P:TC B:5D", "banker", stake=stake)

        assert sentences(steps)[-2] == sentence

    @pytest.mark.parametrize("text", ["P:4S B:7H P:4D B:TC", "P:7H B:4S P:TC B:4D"])
    def test_is_decided_by_an_eight(self, text: str) -> None:
        """[BAC] Nota importante: an eight of either hand is a natural as well."""
        assert sentences(coup_steps(text, "player"))[3] == baccarat.NATURALS

    @pytest.mark.parametrize(
        ("kind", "text", "sentence"),
        [
            ("banker", NATURAL, baccarat.PLAYER_WON),
            ("player", "P:7H B:4S P:TC B:5D", baccarat.BANKER_WON),
            ("tie", NATURAL, baccarat.PLAYER_WON),
        ],
    )
    def test_that_loses_names_the_winning_hand(self, kind: str, text: str, sentence: str) -> None:
        """[BAC] Regole del baccarat."""
        steps = coup_steps(text, kind)

        assert (steps[-2].text, steps[-2].rule) == (sentence, "lost")
        assert steps[-1] == make_step(money.STAKE_LOST, staked=TEN)

    def test_pushes_on_a_tie(self) -> None:
        """Nine each."""
        steps = coup_steps("P:4S B:7H P:5D B:2C", "banker")

        assert steps[-2:] == [
            make_step(
                baccarat.RESULTS["push-on-tie"], rule="push-on-tie", player=9, banker=9, count=4
            ),
            make_step(money.STAKE_RETURNED, cash=1000, staked=TEN),
        ]

    def test_out_of_time_is_void(self) -> None:
        """Detail 15; the cards do not matter."""
        texts = [
            sentences(coup_steps(NATURAL, "player", placed_at=at))[1:]
            for at in (OPENED_AT - 1, CLOSED_AT + 1)
        ]

        assert texts == [
            [void.TOO_EARLY, money.STAKE_RETURNED],
            [void.TOO_LATE, money.STAKE_RETURNED],
        ]


class TestTheThirdCard:
    """[BAC] Regola della terza carta."""

    @pytest.mark.parametrize(
        ("text", "steps_of_it"),
        [
            (
                "P:4S B:7H P:2D B:TC",
                [make_step(baccarat.PLAYER_STOOD), make_step(baccarat.BANKER_STOOD_ALONE)],
            ),
            (
                "P:4S B:3H P:2D B:TC B:5C",
                [
                    make_step(baccarat.PLAYER_STOOD),
                    make_step(baccarat.BANKER_DREW_ALONE, card=Cards(("5C",)), points=8),
                ],
            ),
            (
                "P:2S B:3H P:2D B:TC P:7C B:5C",
                [
                    make_step(baccarat.PLAYER_DREW, card=Cards(("7C",)), points=1),
                    make_step(
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
                    make_step(baccarat.PLAYER_DREW, card=Cards(("8C",)), points=2),
                    make_step(baccarat.BANKER_STOOD, third=8, opening=3),
                ],
            ),
        ],
    )
    def test_is_explained_with_its_rule(self, text: str, steps_of_it: list[Step]) -> None:
        """Player draws to 5; Banker by the printed table, alone to 5."""
        assert coup_steps(text, "player")[3:5] == steps_of_it


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
    def test_on_a_pair_names_the_first_two_cards_only(self, kind: str, openings: list[str]) -> None:
        """Fours against kings of one suit win all four; nine against seven none."""
        won = coup_steps("P:4S B:KH P:4S B:KH", kind)
        lost = coup_steps(NATURAL, kind)

        assert sentences(won)[1:-2] == [*openings, baccarat.RESULTS[kind]]
        assert sentences(lost)[1:-1] == [*openings, baccarat.LOST[kind]]
        assert (won[-3].rule, lost[-2].rule) == (kind, "side-bet-lost")

    @pytest.mark.parametrize(("kind", "other"), [("small", "big"), ("big", "small")])
    def test_on_the_number_of_cards_counts_them(self, kind: str, other: str) -> None:
        """Four cards are small, five are big."""
        text = {"small": NATURAL, "big": "P:2S B:3H P:2D B:TC P:8C"}

        won, lost = coup_steps(text[kind], kind), coup_steps(text[other], kind)

        assert next(step for step in won if step.rule).values["count"] == len(text[kind].split())
        assert baccarat.RESULTS[kind] in sentences(won)
        assert baccarat.LOST[kind] in sentences(lost)
