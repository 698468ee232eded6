"""The trail as a Django application."""

from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TrailConfig(AppConfig):
    """The lowest of our applications: all others may write to it, and it imports none of them."""

    name = "compliance.trail"
    label = "trail"
    verbose_name = _("Audit records")

    def ready(self) -> None:
        """Loads the labels of audit actions and the policy; hardens functions after migrations."""
        from compliance.storage.schema_objects.harden import harden_functions
        from compliance.trail.action_labels import load_audit_actions
        from compliance.trail.witnesses.policy import InvalidPolicy, policy_in_force

        load_audit_actions()
        try:
            policy_in_force()
        except InvalidPolicy as error:
            raise ImproperlyConfigured(f"LOG_POLICY_FILE: {error}") from error
        post_migrate.connect(harden_functions, sender=self)
