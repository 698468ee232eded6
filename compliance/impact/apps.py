"""Django application of impact analyses."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImpactConfig(AppConfig):
    """Application configuration."""

    name = "compliance.impact"
    label = "impact"
    verbose_name = _("Impact analyses")
