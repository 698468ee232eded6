"""Figures by hour of play, dealer, shift and location, and the rounds with errors.

Like the daily figures they are derived and mutable, and an hour is counted as a whole. Hours are
those of the timestamp in a round's id, in UTC. A text is empty where the studio does not state it.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rounds.models import Round, Table


class CountedHour(models.Model):
    """What the figures of an hour include; any other number requires a recount."""

    hour = models.DateTimeField(primary_key=True)
    rounds = models.BigIntegerField()
    settlements = models.BigIntegerField()
    held = models.BigIntegerField()
    """Validations that held a round."""

    class Meta:
        default_permissions = ()


class Dealing(models.Model):
    """Base: who dealt, when and where."""

    hour = models.DateTimeField()
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(_("rule set"), max_length=64)
    dealer = models.CharField(pgettext_lazy("person", "dealer"), max_length=64)
    shift = models.CharField(_("shift"), max_length=64)
    location = models.CharField(_("location"), max_length=64)

    class Meta:
        abstract = True


class HourlyDealing(Dealing):
    """Rounds, errors and money of an hour. Money is in cents, of the latest settlements."""

    pk = models.CompositePrimaryKey("hour", "table_id", "rules", "dealer", "shift", "location")
    rounds = models.BigIntegerField(_("rounds"))
    """All that arrived, settled or not."""
    errors = models.BigIntegerField()
    """Rounds with an error that does not directly follow another at their table.

    One failure of a table spoils several rounds, and is one error.
    """
    error_rounds = models.BigIntegerField()
    malfunctions = models.BigIntegerField()
    void_rounds = models.BigIntegerField(_("void rounds"))
    implausible = models.BigIntegerField()
    corrected = models.BigIntegerField()
    settled_rounds = models.BigIntegerField()
    staked_cents = models.BigIntegerField(_("staked"))
    staked_chips_cents = models.BigIntegerField()
    payout_cents = models.BigIntegerField(_("paid"))
    payout_chips_cents = models.BigIntegerField()

    class Meta:
        default_permissions = ()


class HourlyLatency(models.Model):
    """How long rounds of an hour waited from arrival to settlement, as a histogram.

    Rounds that persons decided are left out.
    """

    pk = models.CompositePrimaryKey("hour", "table_id", "rules", "shift", "bucket")
    hour = models.DateTimeField()
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(max_length=64)
    shift = models.CharField(max_length=64)
    bucket = models.SmallIntegerField()
    """Eight to each doubling of the time (``compliance.monitoring.latency``)."""
    rounds = models.BigIntegerField()

    class Meta:
        default_permissions = ()


class DealingError(Dealing):
    """A round with an error. The flags say which; a round can have several."""

    round = models.OneToOneField(
        Round, models.DO_NOTHING, primary_key=True, related_name="+", db_constraint=False
    )
    malfunction = models.BooleanField()
    """The studio declared it broken."""
    is_void = models.BooleanField()
    """Its latest settlement is a void."""
    is_implausible = models.BooleanField()
    """It was ever held because of its cards or decisions."""
    is_corrected = models.BooleanField()
    """Two persons ever corrected its facts: misread cards, a hand that was not dealt."""

    class Meta:
        verbose_name = _("round with an error")
        verbose_name_plural = _("rounds with errors")
        indexes = [
            models.Index(fields=["dealer", "-round"], name="dealing_error_by_dealer"),
            models.Index(fields=["hour"], name="dealing_error_by_hour"),
        ]
        default_permissions = ("view",)
