"""The payouts as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PayoutsConfig(AppConfig):
    """Settlements and the ledger."""

    name = "payouts"
    verbose_name = _("Money")
