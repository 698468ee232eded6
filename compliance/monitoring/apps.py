"""The monitor as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payouts.needed_reasons import need_reason


class MonitoringConfig(AppConfig):
    """Beside the exports, above what it watches; nothing but the composition imports it."""

    name = "compliance.monitoring"
    label = "monitoring"
    verbose_name = _("Table monitor")

    def ready(self) -> None:
        """Has the reason of its cases stay in use: an alarm must not be the one that finds out."""
        from compliance.monitoring.services import open_alarm  # noqa: PLC0415  models exist by now

        need_reason(open_alarm.REASON, why=_("in use: the table monitor opens its cases for it"))
