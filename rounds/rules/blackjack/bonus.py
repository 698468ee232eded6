"""The Fire Blaze bonus of a round: points, level, multiplier and anomalies."""

from typing import NamedTuple

from rounds.rules.anomalies import BONUS_GRID, BONUS_MISSING, BONUS_UNEARNED, MISSING_CARD
from rounds.rules.blackjack.bets import ClassifiedBets
from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.blackjack.table import Table
from rounds.rules.blackjack.totals import values_of
from rounds.rules.facts import Round
from rounds.rules.verdict import BonusResult

MEGA_FIRE_BLAZE = "mega_fire_blaze"


class BonusRead(NamedTuple):
    """The bonus of a round and the codes of its anomalies."""

    result: BonusResult | None
    """None for a game without a bonus, or if a card is missing that decides the points."""
    codes: frozenset[str]


def read_bonus(
    blaze: FireBlaze, dealt: Round, table: Table, classified: ClassifiedBets
) -> BonusRead:
    """The bonus of a round (contract, details 20, 44 and 45)."""
    codes = set()
    if dealt.bonus is not None and not blaze.grid_is_right(dealt.bonus):
        codes.add(BONUS_GRID)
    if MISSING_CARD in table.codes:
        return BonusRead(None, frozenset(codes))
    boxes = [values_of(table.streams[str(box)][:2]) for box in classified.boxes]
    points = blaze.points_of(boxes=boxes, dealer=table.dealer.values)
    level = blaze.level_of(points)
    if dealt.bonus is None:
        is_bet = any(
            bet.kind == MEGA_FIRE_BLAZE and void is None
            for bet, void in zip(dealt.bets, classified.voids, strict=True)
        )
        if level is not None and is_bet and not dealt.malfunction:
            codes.add(BONUS_MISSING)
    elif dealt.bonus.level != level:
        codes.add(BONUS_UNEARNED)
    multiplier = None if dealt.bonus is None else dealt.bonus.multiplier
    return BonusRead(BonusResult(points, level, multiplier), frozenset(codes))
