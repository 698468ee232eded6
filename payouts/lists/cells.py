"""What stands in a spreadsheet's cell, read and written so that no spreadsheet runs it."""

from decimal import Decimal
from typing import Any, Final

from django.utils import formats
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from import_export.widgets import Widget

from rounds.amounts import amount_of

_RUN: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_HUNDRED: Final = 100
_YES: Final = frozenset({"yes", "sì", "si", "true", "vero", "1"})
_NO: Final = frozenset({"no", "false", "falso", "0"})


def defused(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip("'").startswith(_RUN) else text


def undone(text: str) -> str:
    """The text that was defused; any other as it is."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_RUN) else text


def found_in(value: object) -> str:
    """A cell as people see it."""
    return "" if value is None else str(value)


class TextCell(Widget):  # type: ignore[misc]  # django-import-export ships no types
    """A text."""

    def clean(self, value: object, row: Any = None, **kwargs: Any) -> str:  # noqa: ANN401  its signature
        """The text, empty for an empty cell."""
        return found_in(value)

    def render(self, value: object, obj: object = None, **kwargs: Any) -> str:  # noqa: ANN401  its signature
        """The text."""
        return found_in(value)


class AmountCell(Widget):  # type: ignore[misc]  # as above
    """Cents, in a file an amount in euro."""

    def clean(self, value: object, row: Any = None, **kwargs: Any) -> int:  # noqa: ANN401  its signature
        """A number as it is, a text as it is written. ValueError says what is needed."""
        cents = _cents_of(value)
        if cents is None:
            raise ValueError(_("an amount in euro, such as 1.234,50 or 1,234.50"))
        return cents

    def render(self, value: int | None, obj: object = None, **kwargs: Any) -> str:  # noqa: ANN401  its signature
        """As the language writes it, without marks between thousands."""
        if value is None:
            return ""
        euro, cents = divmod(value, _HUNDRED)
        return f"{euro}{formats.get_format('DECIMAL_SEPARATOR')}{cents:02d}"


class YesNoCell(Widget):  # type: ignore[misc]  # as above
    """Whether something is so."""

    def clean(self, value: object, row: Any = None, **kwargs: Any) -> bool:  # noqa: ANN401  its signature
        """In Italian, in English or as a spreadsheet keeps it. ValueError says what is needed."""
        text = found_in(value).strip().casefold()
        if text not in _YES | _NO:
            raise ValueError(_("yes or no"))
        return text in _YES

    def render(self, value: bool | None, obj: object = None, **kwargs: Any) -> str:  # noqa: ANN401, FBT001  its signature
        """In the active language."""
        if value is None:
            return ""
        yes = "sì" if (get_language() or "").startswith("it") else "yes"
        return yes if value else "no"


def _cents_of(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return amount_of(found_in(value))
    cents = Decimal(str(value)) * _HUNDRED
    if not cents.is_finite() or cents != cents.to_integral_value() or cents < 0:
        return None
    return int(cents)
