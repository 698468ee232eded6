"""Certified returns as tables for a terminal."""

from collections.abc import Iterator, Sequence

from rich.table import Table

from compliance.certification.bonus_return import implied_means
from compliance.certification.certified import Certified
from compliance.certification.declared import declared_return
from compliance.certification.exact import percent_text
from compliance.certification.fire_blaze import level_chances
from compliance.certification.verdict import CONTRADICTION, NOT_REPRODUCED
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

_PLACES = 4


def tables_of(rules: RuleSet, returns: Sequence[Certified]) -> Iterator[Table | str]:
    """The returns of a rule set, then what has to be said of them, then the levels of a bonus."""
    yield _returns(rules, returns)
    for one in returns:
        if one.verdict.word in {CONTRADICTION, NOT_REPRODUCED}:
            yield f"{one.kind}: {one.verdict.why}"
    told = {MEGA_FIRE_BLAZE, *(one.kind for one in returns)}
    missing = [kind for kind in rules.bet_kinds if kind not in told]
    if missing:
        yield f"Not certified yet: {', '.join(missing)}"
    game = rules.declaration
    if isinstance(game, BlackjackGame) and game.bonus is not None:
        yield from _bonus(rules, game)
    yield ""


def _returns(rules: RuleSet, returns: Sequence[Certified]) -> Table:
    table = Table(title=f"{rules.game} ({rules.name})", title_justify="left")
    table.add_column("bet")
    table.add_column("per unit")
    for heading in ("return %", "declared %", "wins %"):
        table.add_column(heading, justify="right")
    table.add_column("verdict")
    for one in returns:
        table.add_row(
            one.kind,
            f"{one.basis} {one.strategy or ''}".rstrip(),
            percent_text(one.share),
            one.declared.percent if one.declared else "",
            percent_text(one.computed.hit_frequency, places=_PLACES) if one.computed else "",
            one.verdict.word,
        )
    return table


def _bonus(rules: RuleSet, game: BlackjackGame) -> Iterator[Table | str]:
    """How likely each level is, and what its mean has to be under one plain assumption."""
    declared = declared_return(rules.name, MEGA_FIRE_BLAZE)
    if declared is None or game.bonus is None:
        return
    implied = implied_means(game, declared.share)
    table = Table(title=f"{MEGA_FIRE_BLAZE}: levels", title_justify="left")
    table.add_column("level")
    for heading in ("points", "chance of a round %", f"mean for {declared.percent} %"):
        table.add_column(heading, justify="right")
    for name, chance in level_chances(game).items():
        points, mean = game.bonus.levels[name].points, float(implied.means[name])
        table.add_row(name, f"{points}", percent_text(chance), f"{mean:.{_PLACES}f}")
    yield table
    yield (
        f"{MEGA_FIRE_BLAZE}: {declared.percent} % is declared and"
        f" {'attainable' if implied.is_attainable else 'not attainable'}: the prizes return"
        f" {percent_text(implied.least, places=2)} % at least and"
        f" {percent_text(implied.most, places=2)} % at most. How often the grid shows what is"
        " not on the sheet. The means assume that every level pays the same share of the way from"
        " its least to its top prize."
    )
