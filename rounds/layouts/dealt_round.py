"""What a page shows of a dealt round: cards, stakes, multiplier cards, the bonus."""

from collections.abc import Mapping, Sequence
from typing import Any

from rounds.layouts.bonus import fire_blaze_of, lay_grid, lay_ladder
from rounds.layouts.chips import Chips, lay_stakes
from rounds.layouts.table import Dealt, lay_out_table
from rounds.rules.facts import Bonus
from rounds.rules.rule_set import RuleSet


def lay_out_round(
    rules: RuleSet,
    cards: Dealt,
    chips: Mapping[int | None, Sequence[Chips]],
    *,
    multipliers: Sequence[tuple[str, str]] | None,
    bonus: Bonus | None,
    bonus_points: int | None,
    is_settled: bool,
) -> dict[str, Any]:
    """The context of the templates of the table.

    ``chips`` are by box, None for bets on the layout; ``bonus_points`` are those of the verdict,
    None without one.
    """
    layout = lay_out_table(cards, boxes=rules.boxes)
    blaze = fire_blaze_of(rules)
    played = bonus.level if bonus else None
    return {
        "layout": layout,
        "boxes": lay_stakes(layout.boxes, chips),
        "winner": layout.winner if is_settled else None,
        "stakes_on_layout": chips.get(None, []),
        "multipliers": multipliers,
        "bonus": bonus,
        "grid": lay_grid(blaze, bonus) if blaze and bonus else None,
        "ladder": blaze and lay_ladder(blaze, points=bonus_points, played=played),
    }
