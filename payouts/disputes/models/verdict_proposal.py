"""Verdicts that programs propose on disputes. Persons decide."""

from typing import Final

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.disputes.models.dispute import Dispute
from payouts.disputes.models.dispute_step import FOLLOWS

_REVIEWED: Final = ", ".join(
    f"'{action}'" for action, allowed in FOLLOWS.items() if {"asked", "rejected"} <= {*allowed}
)
"""Actions that leave a dispute in review."""


class VerdictProposal(models.Model):
    """A verdict proposed on a dispute in review. It decides nothing.

    ``sequence`` is the step that it was based on; ``citations`` are headings of the sheet; ``way``
    is the proposed remedy, if any, with a remark in ``remedy_words``.
    """

    class Verdict(models.TextChoices):
        """The proposed verdict."""

        UPHELD = "upheld", pgettext_lazy("dispute", "Upheld")
        PARTLY_UPHELD = "partly_upheld", pgettext_lazy("dispute", "Partly upheld")
        REJECTED = "rejected", pgettext_lazy("dispute", "Rejected")

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="proposals")
    sequence = models.IntegerField()
    verdict = models.CharField(_("decision"), max_length=16, choices=Verdict.choices)
    text = models.TextField(_("text"))
    citations = models.JSONField(default=list)
    way = models.CharField(_("remedy"), max_length=16, default="")
    remedy_words = models.TextField(_("text about the remedy"), default="")
    accepted_loss_cents = models.BigIntegerField(null=True)
    """The customer's greatest loss by the remedy, as the program accepted it."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        verbose_name = _("proposed decision on a dispute")
        verbose_name_plural = _("proposed decisions on disputes")
        triggers = [
            *append_only("verdict_proposal"),
            attested_rows("verdict_proposal"),
            pgtrigger.Trigger(
                name="verdict_proposed_in_review",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=f"""
                    IF NOT EXISTS (
                        SELECT FROM payouts_disputestep AS step
                         WHERE step.dispute_id = NEW.dispute_id AND step.sequence = NEW.sequence
                           AND step.action IN ({_REVIEWED})
                           AND NOT EXISTS (
                               SELECT FROM payouts_disputestep AS later
                                WHERE later.dispute_id = NEW.dispute_id
                                  AND later.sequence > NEW.sequence)) THEN
                        RAISE EXCEPTION 'dispute %: step % does not leave it in review',
                            NEW.dispute_id, NEW.sequence USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=~models.Q(text=""), name="verdict_proposed_in_words"),
            models.CheckConstraint(
                condition=~models.Q(verdict="rejected") | models.Q(way=""),
                name="verdict_rejected_has_no_remedy",
            ),
        ]
        default_permissions = ()
