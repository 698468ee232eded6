"""The audit actions that this package records, with their labels."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "BONUS_WEIGHTS_SET": gettext_lazy("Multiplier weights entered"),
    "BONUS_WEIGHTS_APPROVED": gettext_lazy("Multiplier weights approved"),
}
