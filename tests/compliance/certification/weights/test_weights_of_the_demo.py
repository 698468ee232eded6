"""The weights of the demo give the declared returns.

[QB] Ritorno al giocatore: 99.57 per cent; [MFB] Ritorno al giocatore: 97.47 for the bonus bet.
"""

from fractions import Fraction

import pytest

from compliance.certification.returns.blackjack.plan import Play
from compliance.certification.returns.bonus_return import bonus_return
from compliance.certification.returns.declared_returns import declared_return
from compliance.certification.returns.multiplied_return import multiplied_return
from compliance.certification.returns.weights_document import read_weights, weighted_rule_sets
from rounds.simulation.weights import card_weights, grid_weights, weights_documents
from tests.compliance.certification.random_rounds import game_of
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM


class TestTheDocuments:
    def test_are_there_for_every_rule_set_that_needs_weights(self) -> None:
        """They are valid documents."""
        needed = {rules.name for rules in weighted_rule_sets()}

        assert weights_documents().keys() == needed
        assert all(
            read_weights(text).rules.name == name for name, text in weights_documents().items()
        )

    def test_say_the_same_to_the_certificate_and_to_the_simulator(self) -> None:
        """Both read the same document."""
        cards = read_weights(weights_documents()[QUANTUM]).multipliers
        grids = read_weights(weights_documents()[MEGA_FIRE_BLAZE]).grids
        assert cards is not None
        assert grids is not None

        dealt_cards, dealt_grids = card_weights(QUANTUM), grid_weights(MEGA_FIRE_BLAZE)

        assert cards.rounds == {
            many: card_weights.weight for many, card_weights in dealt_cards.items()
        }
        assert cards.values == {
            many: card_weights.values for many, card_weights in dealt_cards.items()
        }
        assert grids.keys() == dealt_grids.keys()
        for level, grid in grids.items():
            dealt = dealt_grids[level]
            assert (grid.fills, grid.reveals) == (dealt.fills, dealt.reveals)
            assert (grid.cells, grid.boosts, grid.stars) == (dealt.cells, dealt.boosts, dealt.stars)


class TestTheCertifiedReturn:
    @pytest.mark.slow
    @pytest.mark.parametrize("play", Play)
    def test_of_the_quantum_main_bet_is_the_declared_one(self, play: Play) -> None:
        """To the printed digit, of the initial stake, by both ways of playing."""
        declared = declared_return(QUANTUM, "main")
        weights = read_weights(weights_documents()[QUANTUM]).multipliers
        assert declared is not None
        assert weights is not None

        certified = multiplied_return(game_of(QUANTUM), weights, play)

        assert declared.is_printed_as(Fraction(certified.per_initial))

    @pytest.mark.slow
    def test_of_the_fire_blaze_bet_is_the_declared_one(self) -> None:
        """To the printed digit."""
        declared = declared_return(MEGA_FIRE_BLAZE, "mega_fire_blaze")
        weights = read_weights(weights_documents()[MEGA_FIRE_BLAZE]).grids
        assert declared is not None
        assert weights is not None

        certified = bonus_return(game_of(MEGA_FIRE_BLAZE), weights)

        assert declared.is_printed_as(Fraction(certified.rtp))
