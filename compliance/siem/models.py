"""How far each receiver of the SIEM has got."""

from django.db import models


class SiemCursor(models.Model):
    """How many records of the signed log a receiver has accepted, and why it refuses further ones.

    Its row is locked while events are sent, so that one process at a time sends to a receiver.
    """

    receiver = models.CharField(primary_key=True, max_length=10)
    seen = models.BigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    """When the receiver accepted events last."""
    failing_since = models.DateTimeField(null=True)
    """Since when every attempt has failed; None if the last one succeeded."""
    error = models.CharField(max_length=300, default="")
    """Why the last attempt failed; empty if it succeeded."""

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(condition=models.Q(seen__gte=0), name="siem_cursor_from_zero")
        ]
