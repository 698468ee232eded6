"""Signatures as a Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SignaturesConfig(AppConfig):
    """Signing keys of persons, and their signatures of decisions."""

    name = "compliance.signatures"
    label = "signatures"
    verbose_name = _("Signatures")
