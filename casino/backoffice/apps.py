"""The back office as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BackofficeConfig(AppConfig):
    """The operator's pages, their template tags, and imported list files."""

    name = "casino.backoffice"
    label = "backoffice"
    verbose_name = _("Back office")
