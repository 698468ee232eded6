"""The probabilities of the levels of the Mega Fire Blaze bonus."""

import pytest

from compliance.certification.returns.fire_blaze import level_chances, point_chances
from rounds.rules.blackjack.games.live_blackjack import GAME as BLACKJACK
from rounds.rules.blackjack.games.mega_fire_blaze import GAME


class TestTheLevels:
    """Readings, "Declared returns, recomputed", row of `mega_fire_blaze`."""

    @pytest.mark.parametrize(
        ("level", "chance"),
        [
            ("minor", "0.033515"),
            ("mini", "0.016814"),
            ("major", "0.006085"),
            ("grand", "0.002513"),
            ("mega", "0.001814"),
        ],
    )
    def test_have_the_probabilities_of_the_table(self, level: str, chance: str) -> None:
        """To the last printed digit."""
        assert f"{float(level_chances(GAME)[level]):.6f}" == chance

    def test_leave_the_rest_without_a_bonus(self) -> None:
        """The points add up to one exactly, and under five earn nothing."""
        points = point_chances(GAME)

        assert sum(points.values()) == 1
        assert sum(level_chances(GAME).values()) == sum(
            chance for number, chance in points.items() if number >= 5
        )


class TestThePoints:
    """Checked where arithmetic is short."""

    def test_are_at_most_the_sum_of_the_table(self) -> None:
        """Both boxes 6, two Aces 8, six cards 20: 34. No 31 to 33."""
        points = point_chances(GAME)

        assert max(points) == 34
        assert not {13, 17, 31, 32, 33} & set(points)

    def test_are_undefined_without_a_bonus(self) -> None:
        """Blackjack has none."""
        with pytest.raises(ValueError, match="two boxes"):
            point_chances(BLACKJACK)
