"""The steps of an explanation as sentences of the active language."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy

from rounds.rules.blackjack.totals import TWENTY_ONE, Total
from rounds.rules.explained.explanation import (
    BetName,
    Cards,
    CellValues,
    ExactMoney,
    Factor,
    HandName,
    LevelName,
    Moment,
    Money,
    MultiplierCards,
    Step,
    Value,
)
from rounds.rules.odds import Odds
from rounds.wording import (
    card_words,
    clock_words,
    count,
    decimal_words,
    euro,
    kind_words,
    odds_words,
    with_euro_sign,
)

_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_CENTS: Final = 100
_KEPT: Final = 1 << 14
"""Sentences, of some hundred octets each."""
_HANDS: Final[tuple[str | Promise, ...]] = (
    gettext_lazy("The hand"),
    gettext_lazy("The first hand"),
    gettext_lazy("The second hand"),
)


def sentence(step: Step) -> str:
    """The step in the active language."""
    [said] = sentences([step])
    return said


def sentences(steps: Iterable[Step]) -> list[str]:
    """The steps in the active language, which is looked up once."""
    language = get_language()
    return [
        _worded(language, step.text, tuple(step.values.items()), *map(type, step.values.values()))
        for step in steps
    ]


@lru_cache(_KEPT)
def _worded(
    _language: str | None, text: str, values: tuple[tuple[str, Value], ...], *kinds: type
) -> str:
    """Kept, because rounds are full of the same: what the dealer had stands with every bet.

    Of each value its type is told, too: some are equal that are worded differently.
    """
    worded = zip(values, kinds, strict=True)
    return gettext(text) % {name: _WORDS[kind](value) for (name, value), kind in worded}


def _total(total: Total) -> str:
    if total.is_soft and total.points < TWENTY_ONE:
        return gettext("%(points)s (an Ace counting eleven)") % {"points": total.points}
    return str(total.points)


def _exact_money(amount: ExactMoney) -> str:
    return with_euro_sign(decimal_words(Fraction(amount.cents, amount.parts * _CENTS)))


def _factor(factor: Factor) -> str:
    return _TIMES + decimal_words(Fraction(*factor.times))


def _multiplier_cards(held: MultiplierCards) -> str:
    return ", ".join(
        f"{card_words((card,))} {_factor(Factor(times))}" for card, times in held.cards
    )


_WORDS: Final[Mapping[type, Callable[[Any], str]]] = {
    int: count,
    Odds: odds_words,
    Total: _total,
    Money: lambda amount: euro(amount.cents),
    ExactMoney: _exact_money,
    Cards: lambda cards: card_words(cards.codes),
    Factor: _factor,
    MultiplierCards: _multiplier_cards,
    Moment: lambda moment: clock_words(moment.at),
    HandName: lambda name: str(_HANDS[name.number]),
    BetName: lambda name: kind_words(name.kind),
    LevelName: lambda name: name.level.capitalize(),
    CellValues: lambda cells: ", ".join(map(str, cells.values)),
}
