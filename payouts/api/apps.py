"""The API as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """Keys of programs, what they called, and the answers that are kept for them."""

    name = "payouts.api"
    label = "api"
    verbose_name = _("API")
