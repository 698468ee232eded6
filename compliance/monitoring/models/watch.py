"""Watches, their evaluations (looks) and alarms. Append-only."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.monitoring.models.daily_figures import What
from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.cases.models import Case
from rounds.models import Table


class Watch(models.Model):
    """A monitored figure of a table, or of all tables of a rule set."""

    what = models.CharField(_("what"), max_length=8, choices=What.choices)
    table = models.ForeignKey(
        Table,
        models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        verbose_name=_("table"),
    )
    """None for all tables of the rule set."""
    rules = models.CharField(_("rule set"), max_length=64)
    kind = models.CharField(_("bet kind"), max_length=32)
    """Empty for watches other than bets."""

    class Meta:
        verbose_name = _("watch")
        verbose_name_plural = _("watches")
        triggers = [*append_only("watch"), attested_rows("watch")]
        constraints = [
            models.UniqueConstraint(
                fields=["what", "rules", "kind", "table"],
                nulls_distinct=False,
                name="watched_once",
            ),
        ]
        default_permissions = ("view",)


class Look(models.Model):
    """One evaluation of all watches."""

    last_day = models.DateField(_("day"))
    """The last evaluated day of play."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        verbose_name = _("evaluation of the watches")
        verbose_name_plural = _("evaluations of the watches")
        triggers = [*append_only("look"), attested_rows("look")]
        default_permissions = ()


class WatchLook(models.Model):
    """Figures of a watch at one look, since the start of the table."""

    pk = models.CompositePrimaryKey("look_id", "watch_id")
    look = models.ForeignKey(Look, models.PROTECT, related_name="found", db_index=False)
    watch = models.ForeignKey(Watch, models.PROTECT, related_name="looks")
    rounds = models.BigIntegerField(_("rounds"))
    """Rounds behind the evidence; without evidence, behind the return."""
    log_evidence = models.FloatField(null=True)
    """Natural logarithm; None if no chances are certified."""
    leans = models.FloatField(null=True)
    """Best-supported shift of the return as a share; negative for too little.

    None without evidence and for cards.
    """
    returned = models.FloatField(null=True)
    """Payout by stake; None for other watches, or without cash stakes."""
    z = models.FloatField(null=True)
    """Deviation in certified standard errors; None without an exact return."""
    certified = models.FloatField(null=True)
    """Expected return; of main bets, the certified one of the best play."""
    variance = models.FloatField(null=True)
    """Variance per unit staked; None unless ``certified`` is exact."""
    in_alarm = models.BooleanField(_("in alarm"))

    class Meta:
        verbose_name = _("figures of a watch")
        verbose_name_plural = _("figures of watches")
        triggers = [*append_only("watch_look"), attested_rows("watch_look", key="look_id,watch_id")]
        default_permissions = ()


class WatchAlarm(models.Model):
    """A new alarm of a watch, with its look and its case."""

    look = models.ForeignKey(Look, models.PROTECT, related_name="alarms", db_index=False)
    watch = models.ForeignKey(Watch, models.PROTECT, related_name="alarms")
    case = models.OneToOneField(Case, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("alarm of a watch")
        verbose_name_plural = _("alarms of watches")
        triggers = [*append_only("watch_alarm"), attested_rows("watch_alarm")]
        constraints = [
            models.UniqueConstraint(fields=["look", "watch"], name="one_alarm_a_look"),
        ]
        default_permissions = ()
