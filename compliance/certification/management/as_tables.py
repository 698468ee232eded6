"""Certified returns as tables for a terminal."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.table import Table

from compliance.certification.bonus_return import BonusReturn, implied_means
from compliance.certification.certified import Certified
from compliance.certification.declared import declared_return
from compliance.certification.exact import percent_text
from compliance.certification.fire_blaze import level_chances
from compliance.certification.implied import implied_of
from compliance.certification.other_readings import OtherReading
from compliance.certification.verdict import REPRODUCED
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

_PLACES = 4


def tables_of(
    rules: RuleSet, returns: Sequence[Certified], others: Sequence[OtherReading]
) -> Iterator[Table | str]:
    """The returns of a rule set, then what has to be said of them, then the levels of a bonus."""
    yield _returns(rules, returns)
    reproduced = {one.kind for one in returns if one.verdict.word == REPRODUCED}
    for one in returns:
        if one.is_leading and one.declared is not None and one.kind not in reproduced:
            yield f"{one.kind}: {one.verdict.why}"
        if one.shown is not None:
            share, error = Fraction(one.shown.per_initial), Fraction(one.shown.standard_error)
            yield (
                f"{one.kind}: play that looks at the multiplier cards returns about"
                f" {percent_text(share, places=2)} %, with a standard error of"
                f" {percent_text(error, places=2)} from {one.shown.rounds} draws of them."
            )
    if others:
        yield _others(others)
    told = {MEGA_FIRE_BLAZE, *(one.kind for one in returns)}
    missing = [kind for kind in rules.bet_kinds if kind not in told]
    if missing:
        yield f"Not certified yet: {', '.join(missing)}"
    game = rules.declaration
    if isinstance(game, BlackjackGame) and game.bonus is not None:
        yield from _bonus(rules, game)
    if rules.multiplier_cards:
        yield _cards(rules)
    yield ""


def _returns(rules: RuleSet, returns: Sequence[Certified]) -> Table:
    table = Table(title=f"{rules.game} ({rules.name})", title_justify="left")
    table.add_column("bet", no_wrap=True)
    table.add_column("per unit")
    for heading in ("return %", "sheet", "wins"):
        table.add_column(heading, justify="right")
    table.add_column("verdict", no_wrap=True)
    for one in returns:
        table.add_row(
            one.kind,
            _measure(one),
            percent_text(one.share),
            one.declared.percent if one.declared else "",
            _wins(one),
            one.verdict.word,
        )
    return table


def _others(others: Sequence[OtherReading]) -> Table:
    """What bets would return if their sheet were read otherwise."""
    table = Table(title="Read otherwise, they would return", title_justify="left")
    for heading in ("bet", "unclear point", "other reading"):
        table.add_column(heading)
    table.add_column("return %", justify="right")
    for other in others:
        share = percent_text(other.share)
        table.add_row(other.kind, other.ambiguity, other.reading.says, share)
    return table


def _measure(one: Certified) -> str:
    return f"{one.basis} {one.strategy or ''}".rstrip()


def _wins(one: Certified) -> str:
    """How often the bet wins, per cent, where that is known."""
    if isinstance(one.weighted, BonusReturn):
        return percent_text(Fraction(one.weighted.hit_frequency), places=2)
    return percent_text(one.computed.hit_frequency, places=2) if one.computed else ""


def _cards(rules: RuleSet) -> str:
    """What the declared return asks of the multiplier cards."""
    implied = implied_of(rules)
    if implied is None:
        return ""
    means = " or ".join(f"{mean} with {many}" for many, mean in implied["mean_multipliers"].items())
    return (
        f"{implied['bet']}: {implied['declared']} % is declared and"
        f" {'attainable' if implied['attainable'] else 'not attainable'}: by play that does not"
        f" look at multiplier cards the game returns {implied['least']} to {implied['most']} %, as"
        " these may be. The sheet does not tell how often each comes. In every round a card would"
        f" have to multiply by {means} cards on average."
    )


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
        f" {percent_text(implied.most, places=2)} % at most. The sheet does not tell how often the"
        " grid shows each multiplier. The means assume that every level pays the same share of the"
        " way from its least to its top prize."
    )
