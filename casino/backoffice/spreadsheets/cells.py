"""Spreadsheet cells, escaped so that no spreadsheet evaluates them."""

from decimal import Decimal
from typing import Any, Final

from django.utils import formats
from django.utils.translation import gettext as _
from import_export.widgets import Widget

from rounds.amounts import parse_amount
from rounds.formatting import is_italian

_RUN: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_HUNDRED: Final = 100
_YES: Final = frozenset({"yes", "sì", "si", "true", "vero", "1"})
_NO: Final = frozenset({"no", "false", "falso", "0"})


def escape_formula(text: str) -> str:
    """The text, with an apostrophe if a spreadsheet would evaluate it as a formula."""
    return f"'{text}" if text.lstrip("'").startswith(_RUN) else text


def unescape_formula(text: str) -> str:
    """The text without such an apostrophe."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_RUN) else text


def cell_text(value: object) -> str:
    """A cell as displayed text."""
    return "" if value is None else str(value)


class TextCell(Widget):  # type: ignore[misc]  # django-import-export ships no types
    """A text."""

    def clean(self, value: object, row: Any = None, **kwargs: Any) -> str:
        """The text; empty for an empty cell."""
        return cell_text(value)

    def render(self, value: object, obj: object = None, **kwargs: Any) -> str:
        """The text."""
        return cell_text(value)


class AmountCell(Widget):  # type: ignore[misc]  # as above
    """Cents; in a file an amount in euros."""

    def clean(self, value: object, row: Any = None, **kwargs: Any) -> int:
        """Parse a number or a text. Raises ValueError with the expected value."""
        cents = _cents_of(value)
        if cents is None:
            raise ValueError(_("an amount in euros, for example 1.234,50 or 1,234.50"))
        return cents

    def render(self, value: int | None, obj: object = None, **kwargs: Any) -> str:
        """In the format of the language, without thousands separators."""
        if value is None:
            return ""
        euro, cents = divmod(value, _HUNDRED)
        return f"{euro}{formats.get_format('DECIMAL_SEPARATOR')}{cents:02d}"


class YesNoCell(Widget):  # type: ignore[misc]  # as above
    """A boolean."""

    def clean(self, value: object, row: Any = None, **kwargs: Any) -> bool:
        """Parse a boolean. Raises ValueError with the expected value."""
        text = cell_text(value).strip().casefold()
        if text not in _YES | _NO:
            raise ValueError(_("yes or no"))
        return text in _YES

    def render(self, value: bool | None, obj: object = None, **kwargs: Any) -> str:  # noqa: FBT001  its signature
        """In the active language."""
        if value is None:
            return ""
        yes = "sì" if is_italian() else "yes"
        return yes if value else "no"


def _cents_of(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return parse_amount(cell_text(value))
    cents = Decimal(str(value)) * _HUNDRED
    if not cents.is_finite() or cents != cents.to_integral_value() or cents < 0:
        return None
    return int(cents)
