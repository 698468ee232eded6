"""The value of cards at blackjack. Readings, "Blackjack family"."""

import pytest

from rounds.rules.blackjack.totals import total_of


class TestATotal:
    """Ace 1 or 11, figures 10."""

    @pytest.mark.parametrize(
        ("cards", "points", "is_soft"),
        [
            ("2S 9H", 11, False),
            ("TS JH", 20, False),
            ("QS KH", 20, False),
            ("AS KH", 21, True),
            ("AS 6H", 17, True),
            ("6S AH", 17, True),
            ("AS AH", 12, True),
            ("AS 6H TD", 17, False),
            ("AS AH 9D", 21, True),
            ("AS AH TD", 12, False),
            ("TS 5H 7D", 22, False),
            ("TS 5H 6D AS", 22, False),
        ],
    )
    def test_is_the_highest_up_to_21(self, cards: str, points: int, is_soft: bool) -> None:
        """Soft while an Ace counts eleven."""
        assert total_of(cards.split()) == (points, is_soft)
