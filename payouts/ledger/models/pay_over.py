"""Pay-overs: customers' money paid over to their gaming accounts."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.ledger.models.account import Account
from rounds.models import Customer
from rounds.models.closed_days import books_are_open


class PayOver(models.Model):
    """A payment from a customer's account to the gaming account in the operator's wallet.

    ``id`` is a version 7 UUID of the time and the reference, and the ``origin`` of the transfer.
    ``reference`` is the operator's idempotency key. The table is not partitioned, because the key
    must be unique across months.
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
    """The booking day: the day of ``at`` in Rome, or the open day if that is closed."""

    class Meta:
        verbose_name = _("pay-over")
        verbose_name_plural = _("pay-overs")
        triggers = [*append_only("pay_over"), attested_rows("pay_over"), books_are_open("pay_over")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cents__gt=0) & ~models.Q(reference=""),
                name="pay_over_of_something",
            ),
        ]
        indexes = [models.Index(fields=["booked_on"], name="pay_over_by_booking")]
        default_permissions = ("view",)
