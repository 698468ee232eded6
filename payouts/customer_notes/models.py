"""Notes about customers."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models import Customer


class CustomerNote(models.Model):
    """What a person noted about a customer, for the other staff. Never changed or deleted."""

    customer = models.ForeignKey(
        Customer,
        models.PROTECT,
        related_name="notes",
        db_index=False,
        verbose_name=_("customer"),
    )
    text = models.TextField(_("note"))
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("note about a customer")
        verbose_name_plural = _("notes about customers")
        triggers = [*append_only("customer_note"), attested_rows("customer_note")]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(text=""), name="customer_note_says_something"
            ),
        ]
        indexes = [models.Index(fields=["customer", "-id"], name="note_by_customer")]
        default_permissions = ("view",)
        permissions = [("write_customer_note", "Can write notes about customers")]
