"""How much was verified again, by the hour. Nothing of it decides what is drawn next."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class RecheckHour(models.Model):
    """What all workers together verified again within an hour (UTC). Mutable counts."""

    hour = models.DateTimeField(_("hour"), primary_key=True)
    recent_rounds = models.BigIntegerField()
    """Rounds verified in passes over the recent hours."""
    random_rounds = models.BigIntegerField()
    """Rounds drawn at random of all that are stored."""
    records = models.BigIntegerField()
    """Audit records in batches that were drawn at random."""
    decisions = models.BigIntegerField()
    """Signatures of decisions that were drawn at random."""
    seconds = models.FloatField()
    """Time that processes of workers spent."""
    run_seconds = models.FloatField(db_default=0)
    """Time in which turns followed one another, without pauses in which no worker ran."""
    longest_pass_seconds = models.FloatField()
    """The longest pass over the recent hours that ended in this hour, 0 if none did."""
    last_at = models.DateTimeField()

    class Meta:
        verbose_name = _("hour of repeated verification")
        verbose_name_plural = _("hours of repeated verification")
        default_permissions = ()
