"""What the first bet of a round is paid, for tests."""

from rounds.rules.facts import Bet
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, grades

BY_TEN = ("D:KC", "D:AS")


def paid(text: str, *bets: Bet, rules: str = BLACKJACK) -> tuple[str, int, tuple[str, ...]]:
    """Outcome, payout and reasons of the first bet; Mega Fire Blaze deals box 2 a nineteen."""
    if rules == MEGA_FIRE_BLAZE:
        first, upcard, second, *rest = text.split(" ")
        text = " ".join([first, "2:TH", upcard, second, "2:9H", *rest])
    grade = grades(text, *bets, rules=rules)[0]
    return grade.outcome, grade.payout_cents, grade.reasons
