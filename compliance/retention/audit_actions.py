"""The audit actions that this package records, with their labels."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "HOLD_PLACED": gettext_lazy("Legal hold placed"),
    "HOLD_LIFTED": gettext_lazy("Legal hold lifted"),
}
