"""Amounts, cards, odds, times and bets formatted in the active language."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeVar

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import (
    get_language,
    gettext,
    gettext_lazy,
    override,
    pgettext,
    pgettext_lazy,
)

from rounds.row_mapping import datetime_of
from rounds.rules.odds import Odds

_Text = TypeVar("_Text")

NONE: Final = "\N{EN DASH}"
"""For an absent value."""

LANGUAGES: Final = ("it", "en")
"""The languages of stored texts."""

_MINUS: Final = "\N{MINUS SIGN}"
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_THOUSAND: Final = 3
_HUNDREDTHS: Final = 100 * 100
_RATIO_UP_TO: Final = 9
_MOST_DECIMALS: Final = 6
_TEN: Final = 10
_SIXTY: Final = 60
SUIT_SYMBOLS: Final = {
    "S": "\N{BLACK SPADE SUIT}",
    "H": "\N{BLACK HEART SUIT}",
    "D": "\N{BLACK DIAMOND SUIT}",
    "C": "\N{BLACK CLUB SUIT}",
}

BET_KINDS: Final[dict[str, str | Promise]] = {
    "main": gettext_lazy("Main"),
    "insurance": gettext_lazy("Insurance"),
    "perfect_pairs": gettext_lazy("Perfect Pairs"),
    "21+3": gettext_lazy("21+3"),
    "player_pair": gettext_lazy("Player pair"),
    "dealer_pair": gettext_lazy("Dealer pair"),
    "mega_fire_blaze": gettext_lazy("Mega Fire Blaze"),
    "player": pgettext_lazy("baccarat hand", "Player"),
    "banker": pgettext_lazy("baccarat hand", "Banker"),
    "tie": gettext_lazy("Tie"),
    "banker_pair": gettext_lazy("Banker pair"),
    "either_pair": gettext_lazy("Either pair"),
    "perfect_pair": gettext_lazy("Perfect pair"),
    "big": gettext_lazy("Big"),
    "small": gettext_lazy("Small"),
}


DECISIONS: Final[dict[str, str | Promise]] = {
    "H": gettext_lazy("hit"),
    "S": gettext_lazy("stand"),
    "D": gettext_lazy("double"),
    "Z": gettext_lazy("zap"),
}


def in_each_language(write: Callable[[], _Text]) -> dict[str, _Text]:
    """What the function returns in each of ``LANGUAGES``."""
    texts = {}
    for language in LANGUAGES:
        with override(language):
            texts[language] = write()
    return texts


def is_italian() -> bool:
    """Whether the active language is Italian."""
    return (get_language() or "").startswith("it")


def money(cents: int | None) -> str:
    """Cents as ``1.234,56`` or ``1,234.56``, with a minus sign; a dash for None."""
    if cents is None:
        return NONE
    euro, rest = divmod(abs(cents), 100)
    sign = _MINUS if cents < 0 else ""
    return f"{sign}{count(euro)}{formats.get_format('DECIMAL_SEPARATOR')}{rest:02d}"


def euro(cents: int | None) -> str:
    """Cents with the euro sign: ``1.234,56 €`` or ``€1,234.56``; a dash for None."""
    if cents is None:
        return NONE
    return (_MINUS if cents < 0 else "") + with_euro_sign(money(abs(cents)))


def percent(part: Fraction | None) -> str:
    """A share as ``99,29 %``, rounded to two decimals; a dash for None."""
    if part is None:
        return NONE
    return f"{money(round(part * _HUNDREDTHS))}{_NO_BREAK}%"


def percentage(share: Fraction) -> str:
    """A share as ``5 %`` or ``2.5 %``, not rounded."""
    return f"{format_decimal(share * 100)} %"


def with_euro_sign(amount: str) -> str:
    """A formatted amount with the euro sign; the language decides on which side."""
    if is_italian():
        return f"{amount}{_NO_BREAK}€"
    return f"€{amount}"


def count(number: int) -> str:
    """A whole number with the language's thousands separator."""
    digits = str(number)
    head = len(digits) % _THOUSAND
    groups = [digits[:head]] if head else []
    groups += [digits[at : at + _THOUSAND] for at in range(head, len(digits), _THOUSAND)]
    return str(formats.get_format("THOUSAND_SEPARATOR")).join(groups)


def duration(seconds: float | None) -> str:
    """A duration in two digits: ``850 ms``, ``1.2 s``, ``45 s``, ``12 min``; a dash for none."""
    if seconds is None:
        return NONE
    rounded = float(f"{seconds:.2g}")
    if rounded < 1:
        return gettext("%(number)s ms") % {"number": round(rounded * 1000)}
    if rounded < _TEN:
        number = formats.number_format(f"{rounded:.1f}", decimal_pos=1)
        return gettext("%(number)s s") % {"number": number}
    if rounded < _SIXTY:
        return gettext("%(number)s s") % {"number": round(rounded)}
    minutes = round(seconds / _SIXTY)
    if minutes < _SIXTY:
        return gettext("%(number)s min") % {"number": minutes}
    return gettext("%(number)s h") % {"number": count(round(minutes / _SIXTY))}


def bet_kind_label(kind: str) -> str:
    """The label of a bet kind; an unknown kind unchanged."""
    return str(BET_KINDS.get(kind, kind))


def format_cards(codes: tuple[str, ...]) -> str:
    """Cards as ``8♥ 10♠``."""
    return " ".join(card[0].replace("T", "10") + SUIT_SYMBOLS[card[1]] for card in codes)


def format_odds(odds: Odds) -> str:
    """Odds as ``3:2``, ``8:1`` or ``0.95:1``."""
    ratio = Fraction(*odds)
    if ratio.denominator <= _RATIO_UP_TO:
        return f"{ratio.numerator}:{ratio.denominator}"
    return f"{format_decimal(ratio)}:1"


def format_clock(at: int) -> str:
    """Milliseconds since 1970 as time of day in Rome, with milliseconds only if needed."""
    local, zone = in_rome(datetime_of(at))
    thousandths = at % 1000
    return f"{local:%H:%M:%S}" + (f".{thousandths:03d}" if thousandths else "") + zone


def in_rome(at: datetime) -> tuple[datetime, str]:
    """The time in Rome and an empty suffix.

    In the last hour of the year 9999, whose time in Rome Python cannot represent: UTC and " UTC".
    """
    try:
        return timezone.localtime(at), ""
    except OverflowError:
        return at.astimezone(UTC), f"{_NO_BREAK}UTC"


def format_decimal(number: Fraction) -> str:
    """A number with its decimals, six at most."""
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    whole, _point, decimals = f"{exact:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")
    mark = str(formats.get_format("DECIMAL_SEPARATOR"))
    return count(int(whole)) + (mark + decimals if decimals else "")


def place_label(place: str) -> str:
    """The label of a place of the feed."""
    labels = {
        "D": gettext("Dealer"),
        "P": pgettext("baccarat hand", "Player"),
        "B": pgettext("baccarat hand", "Banker"),
    }
    return labels.get(place) or gettext("Box %(place)s") % {"place": place}


def play_label(play: str) -> str:
    """The decisions of a box in order, those of split hands apart; empty for no decision."""
    own, split, rest = play.partition("P")
    decisions = _decisions(own)
    if not split:
        return decisions
    first, _comma, second = rest.partition(",")
    stood = gettext("stand")
    halves = [
        f"{name}: {_decisions(text) or stood}" for name, text in (("a", first), ("b", second))
    ]
    return "; ".join(filter(None, [decisions, gettext("split"), *halves]))


def _decisions(text: str) -> str:
    return ", ".join(str(DECISIONS.get(letter, letter)) for letter in text)


def moment(at: datetime | None, seconds: str = "") -> str:
    """A time in Rome with its day, and with its year unless that is the current one."""
    if at is None:
        return NONE
    local, zone = in_rome(at)
    day = "j M" if local.year == timezone.localtime().year else "j M Y"
    return _date(local, f"{day}, H:i:s" if seconds else f"{day}, H:i") + zone


def short_day(day: date) -> str:
    """A day as ``10 Nov 2026``."""
    return _date(day, "j M Y")


def weekday(day: date) -> str:
    """A day as ``Tue 10 Nov 2026``."""
    return _date(day, "D j M Y")


def long_day(day: date) -> str:
    """A day as ``Tuesday 10 November 2026``."""
    return _date(day, "l j F Y")


def _date(value: date, pattern: str) -> str:
    """Italian writes days and months in lower case; Django's catalogue does not."""
    text = formats.date_format(value, pattern)
    return text.lower() if is_italian() else text
