"""Amounts, cards, odds, times and bets in the words of the active language."""

from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy

from rounds.rules.odds import Odds
from rounds.storage import datetime_of

NONE: Final = "\N{EN DASH}"
"""For what is not known."""

_MINUS: Final = "\N{MINUS SIGN}"
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_THOUSAND: Final = 3
_HUNDREDTHS: Final = 100 * 100
_RATIO_UP_TO: Final = 9
_MOST_DECIMALS: Final = 6
_SUITS: Final = {
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


def money(cents: int | None) -> str:
    """Cents as ``1.234,56`` or ``1,234.56``, with a true minus; a dash for none."""
    if cents is None:
        return NONE
    euro, rest = divmod(abs(cents), 100)
    sign = _MINUS if cents < 0 else ""
    return f"{sign}{count(euro)}{formats.get_format('DECIMAL_SEPARATOR')}{rest:02d}"


def euro(cents: int | None) -> str:
    """Money with its sign, for headings and sentences: ``1.234,56 €`` or ``€1,234.56``."""
    if cents is None:
        return NONE
    return (_MINUS if cents < 0 else "") + with_euro_sign(money(abs(cents)))


def percent(part: Fraction | None) -> str:
    """A part of a whole as ``99,29 %``, to the nearest hundredth; a dash for none."""
    if part is None:
        return NONE
    return f"{money(round(part * _HUNDREDTHS))}{_NO_BREAK}%"


def with_euro_sign(amount: str) -> str:
    """An amount without a minus, already written out, with the sign where the language has it."""
    if (get_language() or "").startswith("it"):
        return f"{amount}{_NO_BREAK}€"
    return f"€{amount}"


def count(number: int) -> str:
    """A whole number with the language's mark between thousands."""
    digits = str(number)
    head = len(digits) % _THOUSAND
    groups = [digits[:head]] if head else []
    groups += [digits[at : at + _THOUSAND] for at in range(head, len(digits), _THOUSAND)]
    return str(formats.get_format("THOUSAND_SEPARATOR")).join(groups)


def kind_words(kind: str) -> str:
    """A bet kind as it is printed on the table; an unknown one as it is."""
    return str(BET_KINDS.get(kind, kind))


def card_words(codes: tuple[str, ...]) -> str:
    """Cards as ``8♥ 10♠``."""
    return " ".join(card[0].replace("T", "10") + _SUITS[card[1]] for card in codes)


def odds_words(odds: Odds) -> str:
    """Odds as they are printed: ``3:2``, ``8:1``, ``0.95:1``."""
    ratio = Fraction(*odds)
    if ratio.denominator <= _RATIO_UP_TO:
        return f"{ratio.numerator}:{ratio.denominator}"
    return f"{decimal_words(ratio)}:1"


def clock_words(at: int) -> str:
    """Milliseconds since 1970 as the time of day in Rome; thousandths where there are some."""
    local, zone = in_rome(datetime_of(at))
    thousandths = at % 1000
    return f"{local:%H:%M:%S}" + (f".{thousandths:03d}" if thousandths else "") + zone


def in_rome(at: datetime) -> tuple[datetime, str]:
    """The moment in Rome, and nothing; in UTC, and that, where Rome's calendar has ended.

    The last hour of the year 9999 is there in no calendar that Python knows.
    """
    try:
        return timezone.localtime(at), ""
    except OverflowError:
        return at.astimezone(UTC), f"{_NO_BREAK}UTC"


def decimal_words(number: Fraction) -> str:
    """A number with the decimals that it has, six at most."""
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    whole, _point, decimals = f"{exact:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")
    mark = str(formats.get_format("DECIMAL_SEPARATOR"))
    return count(int(whole)) + (mark + decimals if decimals else "")
