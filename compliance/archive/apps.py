"""Django application of the archive."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArchiveConfig(AppConfig):
    """Application configuration."""

    name = "compliance.archive"
    label = "archive"
    verbose_name = _("Archive")
