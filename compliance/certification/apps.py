"""The exact returns as a Django application: only their command needs one."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CertificationConfig(AppConfig):
    """Nothing is stored; the mathematics beside this file knows no Django."""

    name = "compliance.certification"
    label = "certification"
    verbose_name = _("Certified returns")
