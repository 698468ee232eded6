"""Impact analyses: what they change, their parts, and the sums of what would have been paid.

Mutable state of a computation. What was analysed, and its result, is an audit record.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.shared_runs import SharedRun
from rounds.models import Customer, Round


class ImpactAnalysis(SharedRun):
    """Another reading, or other values of declared fields, for the gaming days of a span."""

    reading = models.CharField(_("ambiguity"), max_length=64, blank=True)
    """The key of the register; empty for other values of fields."""
    reading_index = models.SmallIntegerField(null=True)
    fields = models.JSONField(default=list)
    """``[rule set, field, value before, value]`` of each (``compliance.impact.changed_fields``)."""
    first_day = models.DateField(_("from day"), null=True)
    last_day = models.DateField(_("to day"), null=True)
    error = models.TextField(default="")
    """Why it cannot be computed; empty while it can."""

    class Meta:
        verbose_name = _("impact analysis")
        verbose_name_plural = _("impact analyses")
        indexes = [
            models.Index(
                fields=["id"], name="open_analyses", condition=models.Q(finished_at__isnull=True)
            ),
        ]
        default_permissions = ("view",)
        permissions = [("analyse_impact", "Can analyse the impact of a rule change")]


class ImpactPart(models.Model):
    """Rounds of a range of keys, or the expected returns of a rule set.

    ``end_key`` is exclusive; null is unbounded. The figures are written in the transaction that
    computes them.
    """

    analysis = models.ForeignKey(
        ImpactAnalysis, models.PROTECT, related_name="parts", db_index=False
    )
    rules = models.CharField(max_length=64, default="")
    """The rule set whose expected returns are computed; empty for rounds."""
    first_key = models.UUIDField(null=True)
    end_key = models.UUIDField(null=True)
    done_at = models.DateTimeField(null=True)
    rounds = models.BigIntegerField(default=0)
    """Rounds judged by both rules."""
    left_out_rounds = models.BigIntegerField(default=0)
    """Rounds that persons settled otherwise than by these rules; they would stay so."""
    refused_rounds = models.BigIntegerField(default=0)
    """Rounds that could not have been played so: their cards or plays break the changed rule."""
    refused_bets = models.BigIntegerField(default=0)
    refused_staked_cents = models.BigIntegerField(default=0)
    returns = models.JSONField(default=list)
    """``[bet kind, return, return by the changed rule]``, in percent."""

    class Meta:
        verbose_name = _("part of an impact analysis")
        verbose_name_plural = _("parts of impact analyses")
        indexes = [
            models.Index(fields=["analysis", "id"], name="parts_of_analysis"),
            models.Index(
                fields=["analysis", "id"],
                name="free_analysis_parts",
                condition=models.Q(done_at__isnull=True),
            ),
        ]
        default_permissions = ()


class ImpactLine(models.Model):
    """Bets of a part by rule set and kind: those of a customer that would be paid otherwise.

    And, without a customer, all that would be paid the same. Payouts are in cents, stake included;
    golden chips that return are part of them.
    """

    part = models.ForeignKey(ImpactPart, models.PROTECT, related_name="lines")
    rules = models.CharField(max_length=64)
    kind = models.CharField(max_length=32)
    customer = models.ForeignKey(
        Customer, models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    bets = models.BigIntegerField()
    staked_cents = models.BigIntegerField()
    paid_cents = models.BigIntegerField()
    paid_chips_cents = models.BigIntegerField()
    other_cents = models.BigIntegerField()
    """What the changed rule would have paid."""
    other_chips_cents = models.BigIntegerField()
    example = models.ForeignKey(
        Round, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )
    """The round of the bet with the largest difference."""

    class Meta:
        verbose_name = _("line of an impact analysis")
        verbose_name_plural = _("lines of impact analyses")
        default_permissions = ()
