"""Rule sets from declarations of blackjack games."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Final

from rounds.rules.blackjack.bets import INSURANCE, MAIN
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame, Seating
from rounds.rules.blackjack.document_faults import find_document_fault
from rounds.rules.blackjack.explained.explain import explain
from rounds.rules.blackjack.figures import with_declared_figures
from rounds.rules.blackjack.findings.round_findings import round_findings
from rounds.rules.blackjack.judge import judge
from rounds.rules.citation import Citation
from rounds.rules.rule_set import RuleSet

_RAISABLE: Final = frozenset({MAIN})
_SHARED_AMBIGUITIES: Final = ("split-by-value", "dealing-order")


def rule_set_of(
    game: BlackjackGame,
    *,
    name: str,
    title: str,
    sheet: str,
    in_force_from: date,
    uses_shoe: bool,
    citations: Mapping[str, Citation],
    ambiguities: tuple[str, ...],
) -> RuleSet:
    """The rule set of a game of the family.

    The figures in the texts of ``citations`` are taken from ``game``. ``ambiguities`` are keys of
    the ambiguity register that concern the game as a whole.
    """
    bonus = (MEGA_FIRE_BLAZE,) if game.bonus else ()
    kinds = (MAIN, INSURANCE, *(side_bet.kind for side_bet in game.side_bets), *bonus)
    golden = frozenset(kinds) - {INSURANCE} if game.golden_chips else frozenset()
    return RuleSet(
        name=name,
        game=title,
        sheet=sheet,
        decks=game.decks,
        boxes=game.boxes,
        bet_kinds=kinds,
        in_force_from=in_force_from,
        uses_shoe=uses_shoe,
        citations=with_declared_figures(game, citations),
        declaration=game,
        judge=partial(judge, game),
        explain=partial(explain, game),
        find_faults=partial(round_findings, game),
        find_document_fault=partial(find_document_fault, game),
        raisable_kinds=_RAISABLE,
        golden_kinds=golden,
        bets_behind=game.seating is Seating.OWNED,
        multiplier_cards=bool(game.multipliers),
        bonus_levels=tuple(game.bonus.levels) if game.bonus else (),
        ambiguities=tuple(dict.fromkeys((*ambiguities, *_SHARED_AMBIGUITIES))),
    )
