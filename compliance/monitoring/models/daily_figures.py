"""Figures by day of play, table and rule set, from the latest settlements of the rounds.

They are derived from rounds and settlements, and mutable. A day is counted as a whole: one
transaction replaces its figures. ``CountedDay`` stores how many settlements they include, so that a
late, resettled or voided round causes a recount.

A day is the day in Rome in the timestamp of a round's id; rounds before 1970 count on 1 January
1970.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from rounds.models import Table


class What(models.TextChoices):
    """Subject of a watch."""

    RETURN = "return", _("Return of a bet")
    CARDS = "cards", _("Cards dealt")
    LEVELS = "levels", _("Levels of the bonus")
    VOIDS = "voids", _("Effect of void rounds")


class CountedDay(models.Model):
    """Number of counted settlements of a day's rounds, by booking day.

    Settlements are append-only, so equal counts mean the same settlements.
    """

    pk = models.CompositePrimaryKey("day", "booked_on")
    day = models.DateField()
    booked_on = models.DateField()
    settlements = models.BigIntegerField()

    class Meta:
        default_permissions = ()


class CountedBooks(models.Model):
    """A closed day up to which all bookings are counted."""

    booked_on = models.DateField(primary_key=True)

    class Meta:
        default_permissions = ()


class DailyFigures(models.Model):
    """Base of all daily figures: day, table, rule set."""

    day = models.DateField(_("day"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(_("rule set"), max_length=64)

    class Meta:
        abstract = True


class DailyReturn(DailyFigures):
    """Stakes and payouts of the bets of one kind. Void bets are left out.

    Money is in cents, of cash bets only; golden chips are paid differently. The sums of squares are
    over rounds, the unit of the standard error.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "kind")
    kind = models.CharField(_("bet kind"), max_length=32)
    rounds = models.BigIntegerField(_("rounds"))
    """Rounds with a cash bet of this kind."""
    bets = models.BigIntegerField(_("bets"))
    golden_bets = models.BigIntegerField()
    """Bets in golden chips; not included in ``bets`` and the sums."""
    staked_cents = models.BigIntegerField(_("staked"))
    """Raises included."""
    payout_cents = models.BigIntegerField(_("paid"))
    staked_squared = models.DecimalField(max_digits=40, decimal_places=0)
    """Sum over rounds of the squared stake."""
    staked_by_payout = models.DecimalField(max_digits=40, decimal_places=0)
    payout_squared = models.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        indexes = [models.Index(fields=["table", "rules", "kind"], name="return_by_table")]
        default_permissions = ()


class DailyOutcome(DailyFigures):
    """Number of rounds with these outcomes of a bet kind; not for main bets.

    Outcome names are those of the certificate. A box counts once, however many bets.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "kind", "outcomes")
    kind = models.CharField(_("bet kind"), max_length=32)
    outcomes = models.CharField(max_length=255)
    """Outcomes of all boxes, sorted, separated by spaces: ``"mixed-pair no-pair no-pair"``."""
    rounds = models.BigIntegerField(_("rounds"))

    class Meta:
        default_permissions = ()


class DailyEvidence(DailyFigures):
    """Log likelihood ratios of the alternatives, additive over days.

    ``kind`` is empty for watches other than bets.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "what", "kind")
    what = models.CharField(max_length=8, choices=What.choices)
    kind = models.CharField(_("bet kind"), max_length=32)
    rounds = models.BigIntegerField(_("rounds"))
    logs = ArrayField(models.FloatField())

    class Meta:
        indexes = [models.Index(fields=["table", "rules", "kind"], name="evidence_by_table")]
        default_permissions = ()


class DailyCards(DailyFigures):
    """Cards dealt in settled rounds, in the order of ``rounds.rules.cards.CARDS``.

    ``expected`` is the sum of each card's chances, given the composition of its shoe; ``variance``
    the sum of chance times complement.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules")
    rounds = models.BigIntegerField(_("rounds"))
    dealt = ArrayField(models.BigIntegerField())
    expected = ArrayField(models.FloatField())
    variance = ArrayField(models.FloatField())

    class Meta:
        default_permissions = ()


class DailyOccurrence(DailyFigures):
    """Observed and expected count of a bonus event or multiplier card."""

    class Of(models.TextChoices):
        """Kind of event."""

        LEVEL = "level", _("Level of the bonus")
        POINTS = "points", _("Fire Blaze points")
        GRID = "grid", _("Multiplier of the bonus grid")
        MULTIPLIER_CARD = "card", _("Multiplier card")

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "of", "name")
    of = models.CharField(max_length=8, choices=Of.choices)
    name = models.CharField(max_length=64)
    """The level (``"none"`` without one), the points, level and grid total, or the card's value."""
    times = models.BigIntegerField()
    """Number of rounds; for multiplier cards, of cards."""
    expected = models.FloatField(null=True)
    """None where no chance is certified."""

    class Meta:
        default_permissions = ()


class DailyVoids(DailyFigures):
    """Results of rounds for the house, and hypothetical results of void rounds.

    A void round is judged by its cards as if there were no malfunction. Rounds that cannot be
    judged (a card is missing) are counted only.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules")
    rounds = models.BigIntegerField(_("rounds"))
    """Settled rounds with bets that are not void."""
    house_won = models.BigIntegerField()
    """Rounds that paid less than was staked."""
    house_lost = models.BigIntegerField()
    """Rounds that paid more than was staked."""
    void_rounds = models.BigIntegerField(_("void rounds"))
    void_not_judged = models.BigIntegerField()
    void_house_won = models.BigIntegerField()
    """Void rounds that would have paid less than was staked: the void cost the house money."""
    void_house_lost = models.BigIntegerField()
    """Void rounds that would have paid more than was staked: the void saved the house money."""
    void_staked_cents = models.BigIntegerField()
    """Stakes of the judged void rounds."""
    void_payout_cents = models.BigIntegerField()
    """Hypothetical payout of the judged void rounds."""

    class Meta:
        default_permissions = ()
