"""Goodwill credits."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.case import Case
from rounds.models import Customer
from rounds.models.closed_days import books_are_open


class GoodwillCredit(models.Model):
    """Money credited to a customer outside any round, by an approved case.

    ``id`` is a version 7 UUID and the ``origin`` of the transfer. A case gives one credit.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    case = models.OneToOneField(Case, models.PROTECT, related_name="credit")
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="goodwill_credits", verbose_name=_("customer")
    )
    cents = models.BigIntegerField(_("amount"))
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    approved_by = models.CharField(_("approved by"), max_length=200)
    booked_on = models.DateField(_("booked on"))
    """The booking day: the day of ``at`` in Rome, or the open day if that is closed."""

    class Meta:
        verbose_name = _("goodwill credit")
        verbose_name_plural = _("goodwill credits")
        triggers = [*append_only("goodwill"), attested_rows("goodwill"), books_are_open("goodwill")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cents__gt=0) & ~models.Q(approved_by=models.F("actor")),
                name="goodwill_credit_by_two",
            ),
        ]
        indexes = [models.Index(fields=["booked_on"], name="goodwill_by_booking")]
        default_permissions = ("view",)
