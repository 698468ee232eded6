"""The state of rate limits."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SpentRate(models.Model):
    """When the limit of a caller is restored: one row for each caller (``rate_limit``).

    The table is UNLOGGED: counting costs no disk, and a crash of PostgreSQL restores all limits.
    """

    caller = models.TextField(primary_key=True)
    """``key:HANDLE``, or ``failures:ADDRESS`` for calls without a valid key."""
    whole_at = models.DateTimeField()

    class Meta:
        verbose_name = _("used rate")
        verbose_name_plural = _("used rates")
        default_permissions = ()
