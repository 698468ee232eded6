"""The trail as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TrailConfig(AppConfig):
    """Lowest of our applications: everything else may write to it, it imports nothing of ours."""

    name = "compliance.trail"
    label = "trail"
    verbose_name = _("Audit trail")
