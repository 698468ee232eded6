"""The exports as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExportsConfig(AppConfig):
    """Above everything that is told about; nothing but the composition imports it."""

    name = "compliance.exports"
    label = "exports"
    verbose_name = _("Exports")
