"""Winnings that were handed over, out of Sabot's hands."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.models.account import Account
from rounds.models import Customer
from rounds.models.books import books_are_open


class PayOver(models.Model):
    """One hand-over of a customer's money to the gaming account in the operator's wallet.

    ``id`` is a version 7 UUID of the time and the reference; the transfer has it as ``origin``.
    ``reference`` is the operator's own: the key makes every hand-over happen once, however often it
    is asked for. The table is not cut by month, because no month could see to that.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    reference = models.CharField(_("reference"), max_length=100, unique=True)
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="pay_overs", verbose_name=_("customer")
    )
    asset = models.CharField(_("asset"), max_length=8, choices=Account.Asset.choices)
    cents = models.BigIntegerField(_("amount"))
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    booked_on = models.DateField(_("booked on"))
    """The day whose books it enters: that of ``at`` in Rome, unless it was closed."""

    class Meta:
        verbose_name = _("pay-over")
        verbose_name_plural = _("pay-overs")
        triggers = [*append_only("pay_over"), kept("pay_over"), books_are_open("pay_over")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cents__gt=0) & ~models.Q(reference=""),
                name="pay_over_of_something",
            ),
        ]
        indexes = [models.Index(fields=["booked_on"], name="pay_over_by_booking")]
        default_permissions = ("view",)
