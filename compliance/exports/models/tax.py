"""Rates of the tax on stakes minus winnings."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows


class TaxRate(models.Model):
    """A rate of the tax on stakes minus winnings, in force from a day on.

    A later decision for the same game and day replaces an earlier one.
    """

    game = models.CharField(_("game"), max_length=64, default="", blank=True)
    """Empty for all games without a rate of their own."""
    in_force_from = models.DateField(_("in force from"))
    per_million = models.IntegerField(_("rate, per million"))
    decided_at = models.DateTimeField(_("entered"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("tax rate")
        verbose_name_plural = _("tax rates")
        triggers = [*append_only("tax_rate"), attested_rows("tax_rate")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(per_million__gte=0, per_million__lte=1_000_000),
                name="tax_rate_in_range",
            ),
            # A further row cannot take its time from a rate from before signatures.
            models.UniqueConstraint(fields=["game", "decided_at"], name="one_tax_rate_at_a_time"),
        ]
        default_permissions = ("view",)
        permissions = [("set_tax_rate", "Can set tax rates")]

    @property
    def at(self) -> datetime:
        """When it was decided."""
        return self.decided_at

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        details = {"in_force_from": str(self.in_force_from), "per_million": self.per_million}
        return Entry("TAX_RATE_SET", f"tax:{self.game or 'all'}", details)
