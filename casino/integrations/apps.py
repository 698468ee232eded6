"""Integrations as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IntegrationsConfig(AppConfig):
    """Keys of programs, what they called, and the answers that are kept for them."""

    name = "casino.integrations"
    label = "api"
    verbose_name = _("API")
