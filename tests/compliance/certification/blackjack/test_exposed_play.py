"""Main bets played with knowledge of the multiplier cards."""

from math import isclose

import pytest

from compliance.certification.returns.blackjack.plan import Play
from compliance.certification.returns.exposed_return import exposed_play_return, gain_with
from compliance.certification.returns.multiplied_return import multiplied_by, multiplied_return
from rounds.rules.cards import RANKS
from tests.compliance.certification.random_rounds import game_of
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_WEIGHTS
from tests.rounds.rules.dealing import QUANTUM

GAME = game_of(QUANTUM)


class TestKnownCards:
    @pytest.mark.slow
    def test_without_multipliers_give_the_base_game(self) -> None:
        """With and without knowledge of the cards."""
        base = multiplied_by(GAME, Play.COMPOSITION).gain

        assert isclose(gain_with(GAME, {}, looks=False), base, abs_tol=1e-12)
        assert isclose(gain_with(GAME, {}, looks=True), base, abs_tol=1e-12)

    @pytest.mark.slow
    def test_of_one_add_the_average_gain(self) -> None:
        """Over all ranks, by play that ignores them."""
        base = multiplied_by(GAME, Play.COMPOSITION)
        gains = [gain_with(GAME, {f"{rank}S": "5"}, looks=False) for rank in RANKS]

        assert isclose(sum(gains) / 13, base.gain + base.added(1, 5.0), abs_tol=1e-12)

    @pytest.mark.slow
    def test_gain_more_if_they_are_known(self) -> None:
        """A ten that multiplies by ten is worth a split."""
        cards = {"KS": "10", "KH": "5", "AS": "3"}

        assert gain_with(GAME, cards, looks=True) > gain_with(GAME, cards, looks=False) + 0.01


class TestTheEstimate:
    @pytest.mark.slow
    def test_is_repeatable_and_has_an_error(self) -> None:
        """From a few draws."""
        exposed = exposed_play_return(GAME, MULTIPLIER_WEIGHTS, rounds=6)

        blind = multiplied_return(GAME, MULTIPLIER_WEIGHTS, Play.COMPOSITION).per_initial
        assert exposed == exposed_play_return(GAME, MULTIPLIER_WEIGHTS, rounds=6)
        assert blind < exposed.per_initial < blind + 0.1
        assert 0 < exposed.standard_error < 0.03
