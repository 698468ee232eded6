"""A main bet played with an eye on the multiplier cards."""

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
    def test_of_which_there_are_none_leave_the_base_game(self) -> None:
        """Looked at or not."""
        base = multiplied_by(GAME, Play.COMPOSITION).gain

        assert isclose(gain_with(GAME, {}, looks=False), base, abs_tol=1e-12)
        assert isclose(gain_with(GAME, {}, looks=True), base, abs_tol=1e-12)

    @pytest.mark.slow
    def test_of_which_there_is_one_add_what_any_card_adds(self) -> None:
        """Over all ranks, by play that ignores it: another sum than that of the ended hands."""
        base = multiplied_by(GAME, Play.COMPOSITION)
        gains = [gain_with(GAME, {f"{rank}S": "5"}, looks=False) for rank in RANKS]

        assert isclose(sum(gains) / 13, base.gain + base.added(1, 5.0), abs_tol=1e-12)

    @pytest.mark.slow
    def test_gain_more_who_looks_at_them(self) -> None:
        """A ten that multiplies by ten is worth splitting for."""
        cards = {"KS": "10", "KH": "5", "AS": "3"}

        assert gain_with(GAME, cards, looks=True) > gain_with(GAME, cards, looks=False) + 0.01


class TestTheEstimate:
    @pytest.mark.slow
    def test_is_the_same_each_time_and_says_how_far_off_it_is(self) -> None:
        """From a few draws; more than without looking."""
        exposed = exposed_play_return(GAME, MULTIPLIER_WEIGHTS, rounds=6)

        blind = multiplied_return(GAME, MULTIPLIER_WEIGHTS, Play.COMPOSITION).per_initial
        assert exposed == exposed_play_return(GAME, MULTIPLIER_WEIGHTS, rounds=6)
        assert blind < exposed.per_initial < blind + 0.1
        assert 0 < exposed.standard_error < 0.03
