"""Filters and tags for returns, deviations and evidence."""

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import Any, Final

from django import template
from django.utils import formats
from django.utils.translation import gettext as _

from compliance.monitoring.queries import CardCount
from compliance.monitoring.statistics.chi_square import LEAST_CARDS, LEAST_DEALT, of_draws, of_shoe
from rounds.formatting import NONE, count

register = template.Library()

_MINUS: Final = "\N{MINUS SIGN}"
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_HUNDRED: Final = 100
_MOST_LOG: Final = log(1_000_000)
_LEAST_LOG: Final = log(0.01)
_WHOLE: Final = 10
_LEAST_CHANCE: Final = 0.0001
_CHI_SQUARE: Final = "backoffice/monitoring/chi_square.html"


@register.filter
def share(part: float | None, places: int = 2) -> str:
    """A share as ``98,76 %``; a dash for none."""
    if part is None:
        return NONE
    return f"{_number(part * _HUNDRED, places)}{_NO_BREAK}%"


@register.filter
def points(part: float | None, places: int = 2) -> str:
    """A difference of shares in percentage points, with its sign."""
    if part is None:
        return NONE
    return ("+" if part > 0 else "") + _number(part * _HUNDRED, places)


@register.filter
def deviation(z: float | None) -> str:
    """Standard errors with their sign, one decimal."""
    if z is None:
        return NONE
    return ("+" if z > 0 else "") + _number(z, 1)


@register.filter
def evidence(log_value: float | None) -> str:
    """Evidence as a factor: ``0,31``, ``4,2``, ``1.250``; beyond a million only that."""
    if log_value is None:
        return NONE
    if log_value > _MOST_LOG:
        return _("over %(number)s") % {"number": count(1_000_000)}
    if log_value < _LEAST_LOG:
        return _("under %(number)s") % {"number": _number(0.01, 2)}
    value = exp(log_value)
    if value >= _WHOLE:
        return count(round(value))
    return _number(value, 1 if value >= 1 else 2)


@register.filter
def chance(part: float) -> str:
    """A probability such as ``4,31 %``, or below the smallest displayed value."""
    if part < _LEAST_CHANCE:
        return _("under %(number)s") % {"number": share(_LEAST_CHANCE)}
    return share(part)


@register.inclusion_tag(_CHI_SQUARE)
def chi_square_of_shoe(seen: Sequence[int], decks: int) -> dict[str, Any]:
    """The chi-square test of the seen cards of a shoe, ordered as ``CARDS``."""
    wanted = _("at least %(number)s seen and %(number)s unseen cards are required")
    needed = wanted % {"number": count(LEAST_CARDS)}
    return {"test": of_shoe(seen, decks=decks), "needed": needed}


@register.inclusion_tag(_CHI_SQUARE)
def chi_square_of_cards(cards: Iterable[CardCount]) -> dict[str, Any]:
    """The chi-square test of the cards of many rounds."""
    _names, dealt, expected, variance, _errors = zip(*cards, strict=True)
    needed = _("at least %(number)s cards are required") % {"number": count(LEAST_DEALT)}
    return {"test": of_draws(dealt, expected, variance), "needed": needed}


def _number(value: float, places: int) -> str:
    """With ``places`` decimals and a true minus sign."""
    text = formats.number_format(f"{abs(value):.{places}f}", decimal_pos=places)
    is_nothing = not any(digit in "123456789" for digit in text)
    return (_MINUS if value < 0 and not is_nothing else "") + text
