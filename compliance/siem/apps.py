"""The audit log for a SIEM as a Django application."""

from django.apps import AppConfig


class SiemConfig(AppConfig):
    """How far each receiver has got."""

    name = "compliance.siem"
    label = "siem"
