"""A game declared with its own functions is explained in general words."""

from dataclasses import replace

from rounds.rules.baccarat import explained as baccarat
from rounds.rules.baccarat.bets import CoupBet, ties
from rounds.rules.baccarat.coup import Coup
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.explained import other_bets, outcome
from rounds.rules.blackjack.explained.explain import explain
from rounds.rules.blackjack.games.live_blackjack import GAME
from rounds.rules.blackjack.judge import judge
from rounds.rules.blackjack.side_bets import Opening, SideBet
from rounds.rules.blackjack.totals import Values
from rounds.rules.explained.explanation import Cards, make_step
from rounds.rules.facts import Bet, Round
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import BACCARAT, bet, dealt, side


def with_25(dealer: Values) -> bool:
    """A bust with exactly 25."""
    return sum(dealer) == 25


def all_black(opening: Opening) -> str:
    """Whether four cards are black."""
    black = all(card[1] in "SC" for card in (*opening.box, *opening.dealer))
    return "black" if black else "not-black"


def ends_level_at_nine(coup: Coup) -> bool:
    """A tie of nines."""
    return ties(coup) and coup.player_points == 9


TOY_BLACKJACK = replace(
    GAME,
    bust_pushes=with_25,
    side_bets=(SideBet("all_black", all_black, {"black": Odds(7, 1)}),),
)
TOY_BACCARAT = BaccaratGame(
    decks=8, bets={"nines": CoupBet("nines", Odds(30, 1), wins=ends_level_at_nine)}
)


def texts_at_blackjack(text: str, *bets: Bet) -> list[str]:
    """The sentences of the first bet, whose steps come to its payout."""
    round_ = dealt(text, *bets)
    grades = judge(TOY_BLACKJACK, round_, None).grades
    why, *_others = explain(TOY_BLACKJACK, round_, list(zip(bets, grades, strict=True)))
    assert why.adds_up
    return [step.text for step in why.steps]


def texts_at_baccarat(round_: Round) -> list[str]:
    """The sentences of the only bet, whose steps come to its payout."""
    graded = list(zip(round_.bets, TOY_BACCARAT.judge(round_, None).grades, strict=True))
    (why,) = baccarat.explain(TOY_BACCARAT, round_, graded)
    assert why.adds_up
    return [step.text for step in why.steps]


class TestAToyBlackjack:
    def test_explains_its_own_push_on_a_bust(self) -> None:
        """10 + 6 + 9 is 25."""
        texts = texts_at_blackjack("1:TH D:TS 1:8D D:6S D:9D", bet())

        assert texts[-2] == outcome.BUST_THAT_TIES

    def test_explains_its_own_side_bet(self) -> None:
        """Four black cards, then one red."""
        black = texts_at_blackjack("1:TS D:TS 1:8C D:8S", bet("all_black"), bet())
        mixed = texts_at_blackjack("1:TS D:TS 1:8H D:8S", bet("all_black"), bet())

        assert black[1:3] == [other_bets.OF_BOX_AND_DEALER, other_bets.THEY_WIN]
        assert mixed[1:3] == [other_bets.OF_BOX_AND_DEALER, other_bets.THEY_LOSE]

    def test_names_all_four_cards_of_its_side_bet(self) -> None:
        """The box's first two, then the dealer's."""
        bets = (bet("all_black"), bet())
        round_ = dealt("1:TS D:9S 1:8C D:8S", *bets)
        grades = judge(TOY_BLACKJACK, round_, None).grades

        (why,) = explain(TOY_BLACKJACK, round_, [(bets[0], grades[0])])

        cards = Cards(("TS", "8C", "9S", "8S"))
        assert why.steps[1] == make_step(other_bets.OF_BOX_AND_DEALER, box=1, cards=cards)


class TestAToyBaccarat:
    def test_explains_its_own_bet(self) -> None:
        """Nine each; eight each; nine against seven."""
        won, level, lost = (
            texts_at_baccarat(dealt(text, side("nines"), rules=BACCARAT))
            for text in ("P:4S B:7H P:5D B:2C", "P:4S B:6H P:4D B:2C", "P:4S B:7H P:5D B:TC")
        )

        assert baccarat.CARDS_WIN in won
        assert baccarat.CARDS_LOSE in level
        assert baccarat.PLAYER_WON in lost
