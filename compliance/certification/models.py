"""Multiplier weights, which no rules sheet specifies, as the operator set them."""

import hashlib
from datetime import datetime

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows


class WeightSet(models.Model):
    """Weights of a rule set from a day on; in force once a second person has approved them."""

    rules = models.CharField(_("rule set"), max_length=64)
    in_force_from = models.DateField(_("in force from"))
    content = models.TextField()
    """The document as submitted."""
    digest = models.BinaryField(max_length=32)
    """SHA-256 of the content in UTF-8."""
    reason = models.TextField(_("reason"))
    set_at = models.DateTimeField(_("entered"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("multiplier weights of a rule set")
        verbose_name_plural = _("multiplier weights of rule sets")
        triggers = [*append_only("weight_set"), attested_rows("weight_set")]
        indexes = [models.Index(fields=["rules", "in_force_from", "id"], name="weights_by_rules")]
        default_permissions = ()

    def __str__(self) -> str:
        return f"W-{self.pk:04}"

    @property
    def at(self) -> datetime:
        """When they were set."""
        return self.set_at

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs.

        It does not name the number, which is not known before the row is written.
        """
        return Entry("BONUS_WEIGHTS_SET", f"rules:{self.rules}", self.said)

    @property
    def said(self) -> dict[str, str]:
        """What is decided, with the digest of the document."""
        return {
            "in_force_from": self.in_force_from.isoformat(),
            "sha256": hashlib.sha256(self.content.encode()).hexdigest(),
            "reason": self.reason,
        }


class WeightSetApproval(models.Model):
    """Approval of a weight set by a second person; a trigger enforces this."""

    weights = models.OneToOneField(
        WeightSet, models.PROTECT, primary_key=True, related_name="approval"
    )
    approved_at = models.DateTimeField(_("approved"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("approval of multiplier weights")
        verbose_name_plural = _("approvals of multiplier weights")
        triggers = [
            *append_only("weight_set_approval"),
            attested_rows("weight_set_approval", key="weights_id"),
            pgtrigger.Trigger(
                name="weights_approved_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT FROM certification_weightset AS weights
                                WHERE weights.id = NEW.weights_id
                                  AND (weights.actor_user_id = NEW.actor_user_id
                                       OR lower(weights.actor) = lower(NEW.actor))) THEN
                        RAISE EXCEPTION 'weights %: % set them, another has to approve them',
                            NEW.weights_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        default_permissions = ()

    @property
    def at(self) -> datetime:
        """When the weights were approved."""
        return self.approved_at

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: the weights, and who set them."""
        weights = self.weights
        details = {"weights": str(weights), "set_by": weights.actor, **weights.said}
        return Entry("BONUS_WEIGHTS_APPROVED", f"rules:{weights.rules}", details)
