"""The monitor as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MonitoringConfig(AppConfig):
    """Beside the exports, above what it watches; nothing but the composition imports it."""

    name = "compliance.monitoring"
    label = "monitoring"
    verbose_name = _("Table monitor")
