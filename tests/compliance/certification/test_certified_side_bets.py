"""Certified returns of pairs, 21+3 and insurance, against published tables."""

from fractions import Fraction

import pytest

from compliance.certification.returns.exact_returns import BetReturn, percent_text
from compliance.certification.returns.insurance import insurance_return
from compliance.certification.returns.side_bets import side_bet_return, side_bet_returns
from tests.compliance.certification.random_rounds import game_of
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT

PERFECT_PAIRS = Fraction(398, 415)
THREE_CARDS = Fraction(119_489, 124_085)


def side_bet(rules: str, kind: str) -> BetReturn:
    """The return of a side bet of the rule set."""
    return next(
        bet_return
        for bet_return in side_bet_returns(rules, game_of(rules))
        if bet_return.kind == kind
    )


def chances_of(bet: BetReturn) -> dict[str, Fraction]:
    """The probability of each combination."""
    return {outcome.name: outcome.probability for outcome in bet.outcomes}


class TestSideBets:
    """Readings, "Declared returns, recomputed": exact, then as the table prints them."""

    @pytest.mark.parametrize(
        ("rules", "kind", "exact", "printed"),
        [
            (BLACKJACK, "perfect_pairs", PERFECT_PAIRS, "95.9036"),
            (MEGA_FIRE_BLAZE, "player_pair", PERFECT_PAIRS, "95.9036"),
            (MEGA_FIRE_BLAZE, "dealer_pair", PERFECT_PAIRS, "95.9036"),
            (BLACKJACK, "21+3", THREE_CARDS, "96.2961"),
            (MEGA_FIRE_BLAZE, "21+3", THREE_CARDS, "96.2961"),
            (QUANTUM, "player_pair", Fraction(292, 311), "93.8907"),
            (QUANTUM, "21+3", Fraction(597_707, 626_665), "95.3790"),
        ],
    )
    def test_have_the_returns_of_the_table(
        self, rules: str, kind: str, exact: Fraction, printed: str
    ) -> None:
        """With the decks and odds of their own rule set."""
        computed = side_bet(rules, kind).rtp

        assert computed == exact
        assert percent_text(computed, places=4) == printed

    def test_on_pairs_have_probabilities_computed_by_hand(self) -> None:
        """After any card 415 are left: 7 the same, 8 of its colour, 16 of the other."""
        pairs = side_bet(BLACKJACK, "perfect_pairs")

        assert chances_of(pairs) == {
            "perfect-pair": Fraction(7, 415),
            "coloured-pair": Fraction(8, 415),
            "mixed-pair": Fraction(16, 415),
            "no-pair": Fraction(384, 415),
        }

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT])
    def test_are_all_certified(self, rules: str) -> None:
        """Every declared side bet has a return."""
        declared = [bet.kind for bet in game_of(rules).side_bets]

        assert [
            bet_return.kind for bet_return in side_bet_returns(rules, game_of(rules))
        ] == declared


class TestPublishedTables:
    """Wizard of Odds, "Perfect Pairs" (eight decks) and "21+3" (six decks), in unordered hands."""

    @pytest.mark.parametrize(
        ("name", "hands"),
        [
            ("perfect-pair", 1_456),
            ("coloured-pair", 1_664),
            ("mixed-pair", 3_328),
            ("no-pair", 79_872),
        ],
    )
    def test_of_pairs_are_counted_here_too(self, name: str, hands: int) -> None:
        """Pay table A, 25, 12, 6: of 86,320 hands; the published edge is 4.0964 %."""
        pairs = side_bet(BLACKJACK, "perfect_pairs")

        assert chances_of(pairs)[name] == Fraction(hands, 86_320)
        assert percent_text(1 - pairs.rtp, places=4) == "4.0964"

    @pytest.mark.parametrize(
        ("names", "hands"),
        [
            (("straight-flush",), 10_368),
            (("trips", "suited-trips"), 26_312),
            (("straight",), 155_520),
            (("flush",), 236_736 + 56_160),  # with and without a pair
            (("no-combination", "trips", "suited-trips"), 3_551_040 + 977_184 + 26_312),
        ],
    )
    def test_of_three_cards_are_counted_here_too(self, names: tuple[str, ...], hands: int) -> None:
        """Of 5,013,320 hands. That table pays trips of one suit like others."""
        chances = chances_of(side_bet(QUANTUM, "21+3"))

        assert sum(chances[name] for name in names) == Fraction(hands, 5_013_320)


class TestEndlessDecks:
    """The limit of ever more decks, which no shoe reaches."""

    def test_leave_a_second_card_as_if_the_first_were_put_back(self) -> None:
        """One of 52 is the same card, one of its colour, two of the other."""
        bet = game_of(BLACKJACK).side_bets[0]

        endless = side_bet_return(BLACKJACK, bet, decks=None).rtp

        assert endless == Fraction(26 + 13 + 2 * 7, 52)


class TestInsurance:
    """Three for one if a ten lies under the Ace."""

    @pytest.mark.parametrize(
        ("rules", "exact"),
        [
            (ZAPPIT, Fraction(288, 311)),
            (QUANTUM, Fraction(288, 311)),
            (BLACKJACK, Fraction(3 * 128, 415)),
            (MEGA_FIRE_BLAZE, Fraction(384, 415)),
        ],
    )
    def test_return_is_that_of_an_unknown_shoe(self, rules: str, exact: Fraction) -> None:
        """96 tens of 311 cards on six decks, 128 of 415 on eight."""
        assert insurance_return(rules, game_of(rules)).rtp == exact
