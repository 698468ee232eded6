"""The exact returns as a Django application, for their commands and an operator's weights."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CertificationConfig(AppConfig):
    """Only weights are stored; the mathematics beside this file knows no Django."""

    name = "compliance.certification"
    label = "certification"
    verbose_name = _("Certified returns")
