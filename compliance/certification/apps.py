"""Django application of certification: its commands and the stored multiplier weights."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CertificationConfig(AppConfig):
    """Only weights are stored; ``returns`` is pure Python."""

    name = "compliance.certification"
    label = "certification"
    verbose_name = _("Certified returns")
