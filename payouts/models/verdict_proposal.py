"""Decisions on disputes that programs propose; persons take them over, or not."""

from typing import Final

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.models.dispute import Dispute
from payouts.models.dispute_step import FOLLOWS

_REVIEWED: Final = ", ".join(
    f"'{action}'" for action, allowed in FOLLOWS.items() if {"asked", "rejected"} <= {*allowed}
)
"""After these steps a dispute is in review: the customer can be asked, and it can be decided."""


class VerdictProposal(models.Model):
    """What a program would decide about a dispute that is in review. It moves nothing.

    ``sequence`` is that of the step upon which it was made; ``citations`` are headings of the
    sheet; ``way`` is how the dispute would be made good, where the program says so, and
    ``remedy_words`` what it says of that.
    """

    class Verdict(models.TextChoices):
        """What would be decided."""

        UPHELD = "upheld", pgettext_lazy("dispute", "Upheld")
        PARTLY_UPHELD = "partly_upheld", pgettext_lazy("dispute", "Partly upheld")
        REJECTED = "rejected", pgettext_lazy("dispute", "Rejected")

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="proposals")
    sequence = models.IntegerField()
    verdict = models.CharField(_("verdict"), max_length=16, choices=Verdict.choices)
    text = models.TextField(_("text"))
    citations = models.JSONField(default=list)
    way = models.CharField(_("remedy"), max_length=16, default="")
    remedy_words = models.TextField(_("about the remedy"), default="")
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        verbose_name = _("proposed decision on a dispute")
        verbose_name_plural = _("proposed decisions on disputes")
        triggers = [
            *append_only("verdict_proposal"),
            kept("verdict_proposal"),
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
                """,  # noqa: S608  our own names
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
