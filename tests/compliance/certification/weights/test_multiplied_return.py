"""The effect of multiplier cards on the Quantum main bet. [QB] Carte moltiplicatrici."""

from fractions import Fraction
from math import isclose

import pytest

from compliance.certification.returns.blackjack.analysis import analyse
from compliance.certification.returns.blackjack.distinct_cards import (
    different_chances,
    spared_chances,
)
from compliance.certification.returns.blackjack.plan import Play
from compliance.certification.returns.multiplied_return import (
    implied_cards,
    most_even,
    multiplied_by,
    multiplied_return,
)
from compliance.certification.returns.multiplier_weights import MultiplierWeights, mean_value
from rounds.rules.blackjack.games.zappit import GAME as WITHOUT_CARDS
from tests.compliance.certification.random_rounds import game_of
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_WEIGHTS
from tests.rounds.rules.dealing import QUANTUM

GAME = game_of(QUANTUM)
DECLARED = Fraction(9_957, 10_000)
VALUES = {"2.5": 2.5, "3": 3.0, "5": 5.0, "10": 10.0}


def all_alike(many: int, value: str) -> MultiplierWeights:
    """Weights of this many cards of one value."""
    return MultiplierWeights(rounds={many: 1}, values={many: {value: 1}})


class TestDifferentCards:
    """Six decks: six copies of each card."""

    def test_of_two_nines_are_two_in_18_of_23_cases(self) -> None:
        """The second is a copy of the first in 5 of 23 cases; of tens in 5 of 95."""
        chances = different_chances(6)

        assert isclose(chances[8, 2, 1], 5 / 23)
        assert isclose(chances[8, 2, 2], 18 / 23)
        assert isclose(chances[9, 2, 1], 5 / 95)

    def test_have_probabilities_that_add_up_to_one(self) -> None:
        """There are at most four different cards of one value, except for the tens."""
        chances = different_chances(6)

        for held in range(1, 22):
            assert isclose(chances[0, held].sum(), 1)
            assert not chances[0, held, 5:].any()

    def test_are_none_of_three_as_three_cards_are_dealt(self) -> None:
        """49 of 52 for one, 49 of 52 times 48 of 51 for two."""
        assert isclose(spared_chances(5)[3, 1], 49 / 52)
        assert isclose(spared_chances(5)[3, 2], 49 / 52 * 48 / 51)
        assert spared_chances(5)[0].all()


class TestTheReturn:
    """By play that does not look at the cards."""

    @pytest.mark.parametrize(
        "play", [Play.TOTAL, pytest.param(Play.COMPOSITION, marks=pytest.mark.slow)]
    )
    def test_without_the_cards_is_that_of_the_analysis(self, play: Play) -> None:
        """The base game, on each basis."""
        multiplied, base = multiplied_return(GAME, MULTIPLIER_WEIGHTS, play), analyse(QUANTUM, play)

        assert isclose(multiplied.without_per_initial, base.per_initial, abs_tol=base.error)
        assert isclose(multiplied.without_per_staked, base.per_staked, abs_tol=base.error)

    def test_adds_for_each_number_of_cards_by_itself(self) -> None:
        """Two rounds of three with three cards, one with five."""
        base = multiplied_by(GAME, Play.TOTAL)
        low, high = (float(mean_value(GAME, MULTIPLIER_WEIGHTS.values[many])) for many in (3, 5))

        multiplied = multiplied_return(GAME, MULTIPLIER_WEIGHTS, Play.TOTAL)

        assert (low, high) == (3.4, 2.95)
        adds = multiplied.per_initial - multiplied.without_per_initial
        assert isclose(adds, base.added(3, low) * 2 / 3 + base.added(5, high) / 3)

    def test_needs_a_game_that_has_such_cards(self) -> None:
        """Zappit has none."""
        with pytest.raises(ValueError, match="with multiplier cards"):
            multiplied_by(WITHOUT_CARDS, Play.TOTAL)


class TestTheDeclaredReturn:
    """[QB] declares 99.57 % and no frequencies."""

    def test_lies_between_what_the_least_and_the_greatest_values_give(self) -> None:
        """Three cards of 2.5, five of 10."""
        implied = implied_cards(GAME, DECLARED, Play.COMPOSITION)

        least = multiplied_return(GAME, all_alike(3, "2.5"), Play.COMPOSITION)
        most = multiplied_return(GAME, all_alike(5, "10"), Play.COMPOSITION)
        assert isclose(implied.least, least.per_initial)
        assert isclose(implied.most, most.per_initial)
        assert implied.is_attainable(DECLARED)
        assert not implied.is_attainable(Fraction(9, 10))

    @pytest.mark.parametrize("many", [3, 5])
    def test_comes_of_the_chances_that_it_implies(self, many: int) -> None:
        """As integer weights."""
        implied = implied_cards(GAME, DECLARED, Play.COMPOSITION)
        chances = {name: round(chance * 10**9) for name, chance in implied.chances[many].items()}

        weights = MultiplierWeights(rounds={many: 1}, values={many: chances})

        multiplied = multiplied_return(GAME, weights, Play.COMPOSITION)
        assert isclose(multiplied.per_initial, DECLARED, abs_tol=1e-9)
        assert isclose(float(mean_value(GAME, chances)), implied.means[many], abs_tol=1e-8)

    def test_is_implied_by_the_most_even_chances(self) -> None:
        """Equal for the plain average, otherwise powers of the values."""
        plain = most_even(VALUES, 5.125)
        steep = most_even(VALUES, 3.0)

        assert all(isclose(chance, 0.25, abs_tol=1e-12) for chance in plain.values())
        assert isclose((steep["3"] / steep["2.5"]) ** 4, steep["5"] / steep["3"], rel_tol=1e-9)
