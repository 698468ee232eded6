"""Validation errors of single fields, for forms and the API alike."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class InvalidField(ValueError):
    """A value that a service does not accept: the field, the value found, what is needed."""

    def __init__(self, field: str, found: str | Promise, needed: str | Promise) -> None:
        super().__init__(f"{field}: found {found}; needed {needed}")
        self.field, self.found, self.needed = field, found, needed


def one_of(names: Sequence[str]) -> str:
    """``needed`` of a field with a fixed list of values."""
    return str(_("one of: %(names)s")) % {"names": ", ".join(names)}
