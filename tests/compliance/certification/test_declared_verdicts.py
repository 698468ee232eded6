"""Verdicts on declared returns."""

from fractions import Fraction

import pytest

from compliance.certification.returns.baccarat import opening_bet_return
from compliance.certification.returns.declared_returns import DeclaredReturn, declared_return
from compliance.certification.returns.reachable_returns import Reach, reach_of
from compliance.certification.returns.verdict import Verdict, verdict_on
from rounds.rules.baccarat.game import BACCARAT_1, GAME


def declared(per_million: int) -> DeclaredReturn:
    """A figure as sheets declare it."""
    return DeclaredReturn("coin/1", ("heads",), per_million, "COIN", "Heads")


def reach(kind: str) -> Reach:
    """Whether any number of decks gives the declared return of [BAC]."""
    figure = declared_return(BACCARAT_1.name, kind)
    assert figure is not None
    return reach_of(
        figure,
        lambda decks: opening_bet_return(BACCARAT_1.name, GAME.bets[kind], decks=decks).rtp,
    )


def verdict(kind: str) -> Verdict:
    """The verdict on a pair bet of baccarat."""
    share = opening_bet_return(BACCARAT_1.name, GAME.bets[kind], decks=8).rtp
    return verdict_on(share, declared_return(BACCARAT_1.name, kind), reach(kind))


class TestAVerdict:
    """A word, and a sentence with the reason."""

    @pytest.mark.parametrize(
        ("share", "figure", "word"),
        [
            (Fraction(398, 415), declared(959_000), "reproduced"),
            (Fraction(992_926, 1_000_000), declared(992_800), "not reproduced"),
            (Fraction(1, 2), None, "none declared"),
        ],
    )
    def test_compares_as_it_is_printed(
        self, share: Fraction, figure: DeclaredReturn | None, word: str
    ) -> None:
        """With two decimals of per cent."""
        assert verdict_on(share, figure).word == word

    def test_states_the_difference(self) -> None:
        """99.2926 is 0.0126 above 99.28."""
        why = verdict_on(Fraction(992_926, 1_000_000), declared(992_800)).why

        assert why == "It differs from the declared return by 0.0126 percentage points."

    def test_attainable_with_other_decks_is_no_contradiction(self) -> None:
        """A pair at 12 for 1 with seven decks would be declared as 89.26."""
        figure = declared(892_562)
        seven = reach_of(
            figure,
            lambda decks: opening_bet_return("", GAME.bets["player_pair"], decks=decks).rtp,
        )

        assert (seven.below, seven.gives) == (6, 7)
        assert verdict_on(Fraction(372, 415), figure, seven).word == "not reproduced"


class TestTheContradictionsOfBaccarat:
    """Readings, rows "banker pair" and "perfect pairs"."""

    def test_eleven_to_one_is_bounded_by_endless_decks(self) -> None:
        """One card of thirteen pairs at most: 12/13 is 92.31 %."""
        assert reach("banker_pair") == Reach(None, None, Fraction(12, 13))
        assert verdict("banker_pair") == Verdict(
            "contradiction",
            "At the printed odds the bet returns 89.6386 %; with any number of decks it is less"
            " than 92.3077 %.",
        )

    def test_perfect_pairs_fall_between_two_numbers_of_decks(self) -> None:
        """26 for one; at most one in 52 makes one hand a pair."""
        assert reach("perfect_pair") == Reach(25, None, 26 * (1 - Fraction(51, 52) ** 2))
        assert verdict("perfect_pair") == Verdict(
            "contradiction",
            "At the printed odds the bet returns 86.9706 %; with 25 decks it is less"
            " and with 26 more than 95.26 %, so no number of decks gives this return.",
        )
