"""Shoe openings."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models.table import Table


class ShoeOpening(models.Model):
    """The opening of a new shoe, with its burnt cards.

    ``arrival`` orders openings and rounds: the later of a shoe's last opening and last round
    determines its state. A shoe that is announced again with other content starts again.
    """

    arrival = models.BigIntegerField(primary_key=True)
    shoe = models.TextField(_("shoe"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="shoe_openings")
    opened_at = models.DateTimeField(_("opened"))
    burnt = ArrayField(models.CharField(max_length=2), verbose_name=_("burnt face up"))
    burnt_face_down = models.BigIntegerField(_("burnt face down"))
    digest = models.BinaryField(max_length=32)
    received_at = models.DateTimeField(_("received"))

    class Meta:
        verbose_name = _("shoe opening")
        verbose_name_plural = _("shoe openings")
        triggers = [*append_only("shoe"), attested_rows("shoe", key="arrival")]
        constraints = [
            models.UniqueConstraint(fields=["shoe", "digest"], name="one_opening_a_content"),
        ]
        default_permissions = ("view",)
