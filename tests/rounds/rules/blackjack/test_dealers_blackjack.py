"""What each sheet says of a dealer's blackjack under an Ace and under a ten."""

import pytest

from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.catalogue import rule_set
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT

_ENDS_THE_ROUND = AgainstBlackjack(looked_at=True, plays_allowed=False, doubles_return=False)
_RETURNS_DOUBLES = AgainstBlackjack(looked_at=True, plays_allowed=True, doubles_return=True)


@pytest.mark.parametrize(
    ("rules", "under_ace", "under_ten"),
    [
        (
            BLACKJACK,
            _ENDS_THE_ROUND,
            AgainstBlackjack(looked_at=False, plays_allowed=True, doubles_return=False),
        ),
        (
            MEGA_FIRE_BLAZE,
            AgainstBlackjack(looked_at=True, plays_allowed=True, doubles_return=False),
            AgainstBlackjack(looked_at=False, plays_allowed=True, doubles_return=True),
        ),
        (QUANTUM, _RETURNS_DOUBLES, _RETURNS_DOUBLES),
        (ZAPPIT, _ENDS_THE_ROUND, _ENDS_THE_ROUND),
    ],
)
def test_whether_the_dealer_looks_and_what_becomes_of_plays(
    rules: str, under_ace: AgainstBlackjack, under_ten: AgainstBlackjack
) -> None:
    """[BJ] and [MFB] Assicurazione; [MFB] Raddoppia; R for the rest."""
    game = rule_set(rules).declaration

    assert isinstance(game, BlackjackGame)
    assert (game.under_ace, game.under_ten) == (under_ace, under_ten)
