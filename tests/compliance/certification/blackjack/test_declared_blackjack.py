"""The returns of the main bets of the four sheets, as listed in the readings.

Source: the readings, "Declared returns, recomputed": an independent exact analysis, in per cent.
"""

from dataclasses import replace

import pytest

from compliance.certification.returns.blackjack.analysis import Play, analyse, analyse_game
from rounds.rules.blackjack.games.quantum import GAME as QUANTUM
from tests.compliance.certification.blackjack import ordinary_games

LIVE = "blackjack/1"
FIRE = "mega-fire-blaze-blackjack/1"


class TestPerInitialStake:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("rules", "play", "percent"),
        [
            (LIVE, Play.COMPOSITION, "99.2926"),
            (LIVE, Play.TOTAL, "99.2903"),
            (FIRE, Play.COMPOSITION, "99.4928"),
            (FIRE, Play.TOTAL, "99.4910"),
            ("zappit-blackjack/1", Play.COMPOSITION, "98.7149"),
            ("quantum-blackjack/1", Play.COMPOSITION, "84.2562"),
        ],
    )
    def test_is_the_return_of_the_readings(self, rules: str, play: Play, percent: str) -> None:
        """Readings, rows [BJ], [MFB], [ZAP], [QB] main."""
        assert f"{100 * analyse(rules, play).per_initial:.4f}" == percent

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("play", "percent"), [(Play.COMPOSITION, "99.2846"), (Play.TOTAL, "99.2823")]
    )
    def test_of_a_dealer_who_never_checks_is_that_of_the_readings(
        self, play: Play, percent: str
    ) -> None:
        """Readings, row [BJ] main, "if the dealer never looked at all"."""
        assert f"{100 * analyse_game(ordinary_games.NEVER_LOOKS, play).per_initial:.4f}" == percent

    @pytest.mark.slow
    def test_of_quantum_if_the_dealer_stood_on_soft_17(self) -> None:
        """Readings, row [QB] main, the reading that was not adopted."""
        stands = replace(QUANTUM, hits_soft_17=False)

        assert f"{100 * analyse_game(stands, Play.COMPOSITION).per_initial:.4f}" == "84.5653"


class TestPerUnitStaked:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("rules", "play", "percent"),
        [
            (FIRE, Play.COMPOSITION, "99.5500"),
            (FIRE, Play.TOTAL, "99.5484"),
            ("zappit-blackjack/1", Play.COMPOSITION, "98.8211"),
        ],
    )
    def test_is_the_return_of_the_readings(self, rules: str, play: Play, percent: str) -> None:
        """Readings, rows [MFB] and [ZAP] main, by the play that is best per initial stake."""
        assert f"{100 * analyse(rules, play).per_staked:.4f}" == percent


class TestAnotherGame:
    def test_is_refused(self) -> None:
        """Baccarat has no main bet of this kind."""
        with pytest.raises(TypeError, match="baccarat/1 is no blackjack"):
            analyse("baccarat/1", Play.TOTAL)
