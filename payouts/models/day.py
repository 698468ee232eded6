"""Gaming days that were closed: what each came to, once and for all."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.models.reconcile import ReconcileRun


class DayClosing(models.Model):
    """A closed day of play (Rome), with its control totals (``payouts.closing.control``).

    Written with the ``ClosedDay`` of the same day, after which nothing is booked on it any more;
    the key of the one refers to that of the other.
    """

    day = models.DateField(_("day"), primary_key=True)
    closed_at = models.DateTimeField(_("closed"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    run = models.ForeignKey(
        ReconcileRun,
        models.PROTECT,
        related_name="closings",
        verbose_name=_("reconciliation"),
    )
    """The reconciliation that found no difference."""
    totals = models.JSONField(_("control totals"))
    digest = models.BinaryField(max_length=32)
    """SHA-256 over the canonical JSON of the totals; also in the audit record of the closing."""

    class Meta:
        verbose_name = _("closed day")
        verbose_name_plural = _("closed days")
        triggers = [*append_only("day_closing"), kept("day_closing", key="day")]
        default_permissions = ("view",)
        permissions = [("close_day", "Can close a gaming day")]

    def __str__(self) -> str:
        return self.day.isoformat()
