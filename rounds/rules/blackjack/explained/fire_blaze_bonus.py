"""The steps of Mega Fire Blaze bets: points by row, level, grid and total."""

from collections.abc import Iterator
from typing import Final

from rounds.rules.blackjack.explained.dealer import dealer_cards
from rounds.rules.blackjack.fire_blaze import (
    ACE_OF_DEALER,
    CARDS_OF_DEALER,
    FOURTEEN,
    STAR,
    FireBlaze,
    Level,
    specials_of,
)
from rounds.rules.blackjack.interpret_round import Reading
from rounds.rules.blackjack.reasons import BONUS_NOT_REACHED, BONUS_WON, GOLDEN_CHIP
from rounds.rules.blackjack.totals import values_of
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import (
    Cards,
    CellValues,
    Factor,
    LevelName,
    Money,
    Step,
    make_step,
)
from rounds.rules.explained.money import CHIP_STAYS, explain_loss
from rounds.rules.facts import Bet, Bonus
from rounds.rules.odds import Odds

ROWS: Final = {
    FOURTEEN: gettext_noop(
        "The first two cards of box %(box)s, %(cards)s, total 14; Fire Blaze points: %(points)s."
    ),
    ACE_OF_DEALER: gettext_noop("The dealer had an Ace, %(cards)s; Fire Blaze points: %(points)s."),
    CARDS_OF_DEALER: gettext_noop(
        "With %(cards)s the dealer had %(count)s cards; Fire Blaze points: %(points)s."
    ),
}
NO_POINTS: Final = gettext_noop("This round earned no Fire Blaze points.")
NOT_REACHED: Final = gettext_noop(
    "The round earned %(points)s points. The bonus requires at least %(needed)s, so this bet loses."
)
REACHED: Final = gettext_noop(
    "The round earned %(points)s points, which reaches the level %(level)s."
)
CELLS: Final = gettext_noop("The bonus filled cells with %(cells)s, for a sum of %(sum)s.")
BOOSTED: Final = gettext_noop(
    "Section %(section)s was full and counts %(times)s times, which adds %(adds)s."
)
STARRED: Final = gettext_noop(
    "Section %(section)s was full and revealed a star, which adds %(adds)s."
)
CAPPED: Final = gettext_noop(
    "The sum is %(sum)s; the highest prize of this level is %(most)s times the stake."
)
TOTAL: Final = gettext_noop(
    "The total multiplier is %(factor)s: the bet pays the stake times this multiplier, including"
    " the stake."
)
PAYS: Final = gettext_noop("%(stake)s times %(multiplier)s is %(payout)s.")
PAYS_LESS_CHIP: Final = gettext_noop(
    "%(stake)s times %(multiplier)s, less the golden chip itself, is %(payout)s."
)


def explain_points(blaze: FireBlaze, reading: Reading) -> Iterator[Step]:
    """The earned rows of the point table."""
    table = reading.live
    boxes = sorted(reading.classified.boxes)
    openings = [tuple(table.streams[str(box)][:2]) for box in boxes]
    dealer = dealer_cards(table)
    rows = blaze.rows_of(boxes=map(values_of, openings), dealer=table.dealer.values)
    for event, number, index, points in rows:
        if event == FOURTEEN:
            cards = Cards(openings[index])
            yield make_step(ROWS[event], box=boxes[index], cards=cards, points=points)
        else:
            cards = Cards((dealer[index],))
            yield make_step(ROWS[event], count=number, cards=cards, points=points)
    if not rows:
        yield make_step(NO_POINTS)


def explain_bonus_bet(
    blaze: FireBlaze, reading: Reading, bet: Bet, bonus: Bonus | None
) -> Iterator[Step]:
    """The steps of a bonus bet that counts, from the points on."""
    boxes = [values_of(reading.live.streams[str(box)][:2]) for box in reading.classified.boxes]
    points = blaze.points_of(boxes=boxes, dealer=reading.live.dealer.values)
    name = blaze.level_of(points)
    yield from explain_points(blaze, reading)
    if name is None or bonus is None:
        needed = min(level.points for level in blaze.levels.values())
        yield make_step(NOT_REACHED, rule=BONUS_NOT_REACHED, points=points, needed=needed)
        yield explain_loss(bet)
        return
    yield make_step(REACHED, points=points, level=LevelName(name))
    yield from _grid(blaze.levels[name], bonus)
    multiplier = int(bonus.multiplier)
    stake, payout_cents = Money(bet.stake_cents), bet.stake_cents * multiplier
    yield make_step(TOTAL, rule=BONUS_WON, factor=Factor(Odds(multiplier, 1)))
    if bet.golden:
        payout_cents -= bet.stake_cents
    text = PAYS_LESS_CHIP if bet.golden else PAYS
    yield make_step(
        text, cash=payout_cents, stake=stake, multiplier=multiplier, payout=Money(payout_cents)
    )
    if bet.golden:
        yield make_step(CHIP_STAYS, rule=GOLDEN_CHIP, stake=stake)


def _grid(level: Level, bonus: Bonus) -> Iterator[Step]:
    """The filled cells, the specials of full sections, and the maximal prize."""
    cells = {cell: value for spin in bonus.spins for cell, value in spin}
    values = tuple(int(cells[cell]) for cell in sorted(cells))
    total = sum(values)
    yield make_step(CELLS, cells=CellValues(values), sum=total)
    for section, kind, value, adds in specials_of(bonus, cells):
        total += adds
        if kind == STAR:
            yield make_step(STARRED, section=section, adds=adds)
        else:
            yield make_step(BOOSTED, section=section, times=value, adds=adds)
    if total > level.most:
        yield make_step(CAPPED, sum=total, most=level.most)
