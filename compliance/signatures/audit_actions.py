"""The audit actions that this package records, with their labels."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "LOG_GAP_PROPOSED": gettext_lazy("Gap of the audit log proposed"),
    "LOG_GAP_CONFIRMED": gettext_lazy("Gap of the audit log confirmed"),
    "LOG_KEY_APPROVED": gettext_lazy("Key of the audit log approved"),
    "SIGNING_KEY_REGISTERED": gettext_lazy("Signing key registered"),
    "SIGNING_KEY_ROOTED": gettext_lazy("First signing key approved on the host"),
    "SIGNING_KEY_APPROVED": gettext_lazy("Signing key approved"),
    "SIGNING_KEY_REJECTED": gettext_lazy("Signing key rejected"),
    "SIGNING_KEY_REVOKED": gettext_lazy("Signing key revoked"),
}
