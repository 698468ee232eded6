"""Django application of the table monitor."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payouts.cases.required_reasons import need_reason


class MonitoringConfig(AppConfig):
    """Application configuration."""

    name = "compliance.monitoring"
    label = "monitoring"
    verbose_name = _("Table monitor")

    def ready(self) -> None:
        """Protects the reason of alarm cases from being retired."""
        from compliance.monitoring.services import open_alarm

        need_reason(
            open_alarm.REASON, why=_("in use: the table monitor opens its cases with this reason")
        )
