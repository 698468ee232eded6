"""The audit actions that this package records, with their labels."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "API_KEY_ISSUED": gettext_lazy("API key issued"),
    "API_KEY_ROTATED": gettext_lazy("API key rotated"),
    "API_KEY_REVOKED": gettext_lazy("API key revoked"),
    "API_CALLED": gettext_lazy("API request"),
    "API_REFUSED": gettext_lazy("API token rejected"),
    "WEBHOOK_ADDED": gettext_lazy("Webhook added"),
    "WEBHOOK_CHANGED": gettext_lazy("Webhook changed"),
    "WEBHOOK_ROTATED": gettext_lazy("Webhook secret rotated"),
    "WEBHOOK_REMOVED": gettext_lazy("Webhook removed"),
    "WEBHOOK_PINGED": gettext_lazy("Webhook ping sent"),
    "WEBHOOK_RESEND_ASKED": gettext_lazy("Dead letter sent again"),
    "WEBHOOK_RESUMED": gettext_lazy("Webhook resumed"),
    "WEBHOOK_STOPPED": gettext_lazy("Webhook stopped"),
    "WEBHOOK_EVENT_DEAD": gettext_lazy("Event delivery abandoned"),
}
