"""The payouts as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from compliance.trail.beside import verify_also


class PayoutsConfig(AppConfig):
    """Settlements and the ledger."""

    name = "payouts"
    verbose_name = _("Money")

    def ready(self) -> None:
        """Has facts and money compared with the trail wherever that is verified."""
        verify_also("payouts.reconciling.everything.verify_facts_and_money")
