"""Certified returns as tables for a terminal."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.table import Table

from compliance.certification.returns.alternative_readings import OtherReading
from compliance.certification.returns.bonus_return import BonusReturn, implied_means
from compliance.certification.returns.certified_returns import CertifiedReturn
from compliance.certification.returns.declared_returns import declared_return
from compliance.certification.returns.exact_returns import percent_text
from compliance.certification.returns.fire_blaze import level_chances
from compliance.certification.returns.implied_frequencies import implied_of
from compliance.certification.returns.verdict import REPRODUCED
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

_PLACES = 4


def terminal_tables(
    rules: RuleSet, returns: Sequence[CertifiedReturn], others: Sequence[OtherReading]
) -> Iterator[Table | str]:
    """Tables of a rule set: its returns, notes on them, alternative readings, bonus levels."""
    yield _returns(rules, returns)
    reproduced = {row.kind for row in returns if row.verdict.word == REPRODUCED}
    for row in returns:
        if row.is_leading and row.declared is not None and row.kind not in reproduced:
            yield f"{row.kind}: {row.verdict.why}"
        if row.exposed is not None:
            share, error = (Fraction(row.exposed.per_initial), Fraction(row.exposed.standard_error))
            yield (
                f"{row.kind}: play that uses the multiplier cards returns about"
                f" {percent_text(share, places=2)} %, with a standard error of"
                f" {percent_text(error, places=2)} from {row.exposed.rounds} draws of them."
            )
    if others:
        yield _others(others)
    certified = {MEGA_FIRE_BLAZE, *(row.kind for row in returns)}
    missing = [kind for kind in rules.bet_kinds if kind not in certified]
    if missing:
        yield f"Not certified yet: {', '.join(missing)}"
    game = rules.declaration
    if isinstance(game, BlackjackGame) and game.bonus is not None:
        yield from _bonus(rules, game)
    if rules.multiplier_cards:
        yield _cards(rules)
    yield ""


def _returns(rules: RuleSet, returns: Sequence[CertifiedReturn]) -> Table:
    table = Table(title=f"{rules.game} ({rules.name})", title_justify="left")
    table.add_column("bet", no_wrap=True)
    table.add_column("per unit")
    for heading in ("return %", "sheet", "wins"):
        table.add_column(heading, justify="right")
    table.add_column("verdict", no_wrap=True)
    for row in returns:
        table.add_row(
            row.kind,
            _measure(row),
            percent_text(row.share),
            row.declared.percent if row.declared else "",
            _wins(row),
            row.verdict.word,
        )
    return table


def _others(others: Sequence[OtherReading]) -> Table:
    """Returns under the alternative readings of the sheet."""
    table = Table(title="Returns under alternative interpretations", title_justify="left")
    for heading in ("bet", "unclear point", "other reading"):
        table.add_column(heading)
    table.add_column("return %", justify="right")
    for other in others:
        share = percent_text(other.share)
        table.add_row(other.kind, other.ambiguity, other.reading.says, share)
    return table


def _measure(row: CertifiedReturn) -> str:
    return f"{row.basis} {row.strategy or ''}".rstrip()


def _wins(row: CertifiedReturn) -> str:
    """Hit frequency of the bet in per cent; empty where unknown."""
    if isinstance(row.weighted, BonusReturn):
        return percent_text(Fraction(row.weighted.hit_frequency), places=2)
    return percent_text(row.computed.hit_frequency, places=2) if row.computed else ""


def _cards(rules: RuleSet) -> str:
    """Mean multipliers that the declared return implies."""
    implied = implied_of(rules)
    if implied is None:
        return ""
    means = " or ".join(f"{mean} with {many}" for many, mean in implied["mean_multipliers"].items())
    return (
        f"{implied['bet']}: the declared {implied['declared']} % is"
        f" {'possible' if implied['attainable'] else 'not possible'}: by play that ignores the"
        f" multiplier cards the game returns {implied['least']} to {implied['most']} %, depending"
        " on their frequencies, which the sheet does not state. For the declared return, the"
        f" average multiplier would have to be {means} cards in every round."
    )


def _bonus(rules: RuleSet, game: BlackjackGame) -> Iterator[Table | str]:
    """Chance of each level, and its implied mean under one assumption (`implied_means`)."""
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
        f"{MEGA_FIRE_BLAZE}: the declared {declared.percent} % is"
        f" {'possible' if implied.is_attainable else 'not possible'}: the prizes return"
        f" {percent_text(implied.least, places=2)} to {percent_text(implied.most, places=2)} %,"
        " depending on the frequencies of the multipliers, which the sheet does not state. The"
        " means assume that every level averages the same fraction of the range from its least to"
        " its top prize."
    )
