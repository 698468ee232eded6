"""Django application of the exports."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExportsConfig(AppConfig):
    """Application configuration."""

    name = "compliance.exports"
    label = "exports"
    verbose_name = _("Exports")
