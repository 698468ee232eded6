"""How much of its calls a caller has spent."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SpentRate(models.Model):
    """When a caller will have all of its calls back: one row a caller, for all web processes.

    The table is not logged: a crash of PostgreSQL gives everybody their calls back, and counting
    costs no disk. ``payouts.api.services.spend_call`` tells how it is counted.
    """

    caller = models.TextField(primary_key=True)
    """``key:HANDLE``, or ``failures:ADDRESS`` for calls without a key that is good."""
    whole_at = models.DateTimeField()

    class Meta:
        verbose_name = _("spent rate")
        verbose_name_plural = _("spent rates")
        default_permissions = ()
