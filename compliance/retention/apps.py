"""Retention as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RetentionConfig(AppConfig):
    """Legal holds. Their tables and migrations are those of payouts, where they began."""

    name = "compliance.retention"
    label = "retention"
    verbose_name = _("Retention")
