"""The trail as a Django application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TrailConfig(AppConfig):
    """The lowest of our applications: all others may write to it, and it imports none of them."""

    name = "compliance.trail"
    label = "trail"
    verbose_name = _("Audit records")

    def ready(self) -> None:
        """Loads the labels of audit actions; hardens trigger functions after every migration."""
        from compliance.storage.schema_objects.harden import harden_functions
        from compliance.trail.action_labels import load_audit_actions

        load_audit_actions()
        post_migrate.connect(harden_functions, sender=self)
