"""The audit actions that this package records, with their labels."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "LOG_KEY_CHANGED": gettext_lazy("Key of the audit log changed"),
    "LOG_LOSS_FOUND": gettext_lazy("Lost records of the audit log found"),
    "ROWS_KEPT": gettext_lazy("Digests of rows recorded"),
}
