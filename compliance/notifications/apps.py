"""Notifications as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    """Notifications, and how each person wants them."""

    name = "compliance.notifications"
    label = "notifications"
    verbose_name = _("notifications")
