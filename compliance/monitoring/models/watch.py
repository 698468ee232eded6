"""Watches, the looks that were taken at them, and the alarms that opened a case. Append-only."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.monitoring.models.daily import What
from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.models import Case
from rounds.models import Table


class Watch(models.Model):
    """One thing that is watched at a table, or at all tables of a rule set together."""

    what = models.CharField(_("what"), max_length=8, choices=What.choices)
    table = models.ForeignKey(
        Table,
        models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        verbose_name=_("table"),
    )
    """None for all tables of the rule set together."""
    rules = models.CharField(_("rule set"), max_length=64)
    kind = models.CharField(_("bet kind"), max_length=32)
    """Empty for what is no bet."""

    class Meta:
        verbose_name = _("watch")
        verbose_name_plural = _("watches")
        triggers = [*append_only("watch"), kept("watch")]
        constraints = [
            models.UniqueConstraint(
                fields=["what", "rules", "kind", "table"],
                nulls_distinct=False,
                name="watched_once",
            ),
        ]
        default_permissions = ("view",)


class Look(models.Model):
    """One look at all watches: what it found stands beside it, in the same transaction."""

    last_day = models.DateField(_("day"))
    """The last day of play that it looked at."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        verbose_name = _("look at the watches")
        verbose_name_plural = _("looks at the watches")
        triggers = [*append_only("look"), kept("look")]
        default_permissions = ()


class WatchLook(models.Model):
    """What all rounds of a watch said at one look, since the table began."""

    pk = models.CompositePrimaryKey("look_id", "watch_id")
    look = models.ForeignKey(Look, models.PROTECT, related_name="found", db_index=False)
    watch = models.ForeignKey(Watch, models.PROTECT, related_name="looks")
    rounds = models.BigIntegerField(_("rounds"))
    """On which the evidence rests; of a watch without any, on which the return rests."""
    log_evidence = models.FloatField(null=True)
    """Natural logarithm; None where no chances are certified."""
    leans = models.FloatField(null=True)
    """The shift that the rounds speak for most, as a share; below nothing where too little is paid.

    None without evidence, and for cards, whose alternatives are no returns.
    """
    returned = models.FloatField(null=True)
    """Paid by staked; None of what is no bet, or where nothing was staked for cash."""
    z = models.FloatField(null=True)
    """Certified standard errors by which the return is off; None without an exact certificate."""
    certified = models.FloatField(null=True)
    """What the bet returns: exactly, or of a main bet by best play as it is certified."""
    variance = models.FloatField(null=True)
    """Of one unit staked; None unless ``certified`` is exact."""
    in_alarm = models.BooleanField(_("in alarm"))

    class Meta:
        verbose_name = _("figures of a watch")
        verbose_name_plural = _("figures of watches")
        triggers = [*append_only("watch_look"), kept("watch_look", key="look_id,watch_id")]
        default_permissions = ()


class WatchAlarm(models.Model):
    """A watch that came to be in alarm, with the look that saw it and the case it opened."""

    look = models.ForeignKey(Look, models.PROTECT, related_name="alarms", db_index=False)
    watch = models.ForeignKey(Watch, models.PROTECT, related_name="alarms")
    case = models.OneToOneField(Case, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("alarm of a watch")
        verbose_name_plural = _("alarms of watches")
        triggers = [*append_only("watch_alarm"), kept("watch_alarm")]
        constraints = [
            models.UniqueConstraint(fields=["look", "watch"], name="one_alarm_a_look"),
        ]
        default_permissions = ()
