"""The steps of an explanation as sentences of the active language."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy

from rounds.formatting import (
    DECISIONS,
    bet_kind_label,
    count,
    euro,
    format_cards,
    format_clock,
    format_decimal,
    format_odds,
    percentage,
    place_label,
    play_label,
    with_euro_sign,
)
from rounds.rules.blackjack.totals import TWENTY_ONE
from rounds.rules.cards import Total
from rounds.rules.citation import Citation, Figure
from rounds.rules.explained.explanation import (
    BetName,
    Cards,
    CellValues,
    Decisions,
    ExactMoney,
    Factor,
    HandName,
    LevelName,
    Literal,
    Moment,
    Money,
    MultiplierCards,
    PlaceName,
    PlayName,
    Step,
    Value,
)
from rounds.rules.odds import AnyOdds, Odds, Percent

_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_CENTS: Final = 100
_CACHED_SENTENCES: Final = 1 << 14
"""About a hundred bytes each."""
_HANDS: Final[tuple[str | Promise, ...]] = (
    gettext_lazy("The hand"),
    gettext_lazy("The first hand"),
    gettext_lazy("The second hand"),
)


def sentence(step: Step) -> str:
    """The step in the active language."""
    [text] = sentences([step])
    return text


def sentences(steps: Iterable[Step]) -> list[str]:
    """The steps in the active language, looked up once."""
    language = get_language()
    return [
        _format(language, step.text, tuple(step.values.items()), *map(type, step.values.values()))
        for step in steps
    ]


def rule_title(cited: Citation) -> str:
    """The title of a rule in the active language, with the figures that its game declares."""
    return _with_figures(cited.title, cited.figures)


def rule_summary(cited: Citation) -> str:
    """The summary of a rule in the active language, with the figures that its game declares."""
    return _with_figures(cited.summary, cited.figures)


def _with_figures(text: str, figures: tuple[tuple[str, Figure], ...]) -> str:
    return _format(get_language(), text, figures, *map(type, dict(figures).values()))


@lru_cache(_CACHED_SENTENCES)
def _format(
    _language: str | None, text: str, values: tuple[tuple[str, Value | Figure], ...], *kinds: type
) -> str:
    """Cached: the bets of a round share most sentences.

    ``kinds`` are the types of the values: equal values of different types are formatted
    differently.
    """
    typed = zip(values, kinds, strict=True)
    return gettext(text) % {name: _FORMATTERS[kind](value) for (name, value), kind in typed}


def _total(total: Total) -> str:
    if total.is_soft and total.points < TWENTY_ONE:
        return gettext("%(points)s (with an Ace counting as eleven)") % {"points": total.points}
    return str(total.points)


def _exact_money(amount: ExactMoney) -> str:
    return with_euro_sign(format_decimal(Fraction(amount.cents, amount.parts * _CENTS)))


def _factor(factor: Factor) -> str:
    return _TIMES + format_decimal(Fraction(*factor.times))


def _multiplier_cards(held: MultiplierCards) -> str:
    return ", ".join(
        f"{format_cards((card,))} {_factor(Factor(times))}" for card, times in held.cards
    )


def _decisions(letters: str) -> str:
    names = [gettext("split") if letter == "P" else str(DECISIONS[letter]) for letter in letters]
    return ", ".join(names) or gettext("no decision")


_FORMATTERS: Final[Mapping[type, Callable[[Any], str]]] = {
    int: count,
    Odds: format_odds,
    AnyOdds: lambda any_odds: " / ".join(map(format_odds, any_odds.odds)),
    Percent: lambda percent: percentage(Fraction(*percent.share)),
    Total: _total,
    Money: lambda amount: euro(amount.cents),
    ExactMoney: _exact_money,
    Cards: lambda cards: format_cards(cards.codes),
    Factor: _factor,
    MultiplierCards: _multiplier_cards,
    Moment: lambda moment: format_clock(moment.at),
    HandName: lambda name: str(_HANDS[name.number]),
    BetName: lambda name: bet_kind_label(name.kind),
    LevelName: lambda name: name.level.capitalize(),
    CellValues: lambda cells: ", ".join(map(str, cells.values)),
    PlaceName: lambda name: place_label(name.place),
    Decisions: lambda decisions: _decisions(decisions.letters),
    PlayName: lambda name: play_label(name.play) or gettext("stand"),
    Literal: lambda literal: literal.text,
}
