"""The steps of an explanation as sentences of the active language."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

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
_HANDS: Final[tuple[str | Promise, ...]] = (
    gettext_lazy("The hand"),
    gettext_lazy("The first hand"),
    gettext_lazy("The second hand"),
)


def sentence(step: Step) -> str:
    """The step in the active language."""
    return gettext(step.text) % {name: _words(value) for name, value in step.values.items()}


def _words(value: Value) -> str:
    return _WORDS[type(value)](value)


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
