"""Integrations as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IntegrationsConfig(AppConfig):
    """API keys, rate limits, stored answers and webhooks."""

    name = "casino.integrations"
    label = "api"
    verbose_name = _("API")
