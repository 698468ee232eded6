"""Rounds of Mega Fire Blaze, for tests of points and bonus."""

from rounds.rules.verdict import Verdict
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, bet, dealt, judged

SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"  # both boxes fourteen, the dealer nothing
MAIN = bet()


def played(text: str, *bets: object, **fields: object) -> Verdict:
    """The verdict on a round with a main bet of p-1 and these others."""
    return judged(dealt(text, MAIN, *bets, rules=MEGA_FIRE_BLAZE, **fields))  # type: ignore[arg-type]  # bets
