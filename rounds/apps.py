"""The rounds as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoundsConfig(AppConfig):
    """Tables, shoes, rounds and bets; the feed that reports them; their validation."""

    name = "rounds"
    verbose_name = _("Tables")
