"""Figures of each day of play, table and rule set, as the latest settlements of its rounds stand.

They follow from rounds and settlements and are no facts themselves: like the daily totals they may
change. A day is only ever counted as a whole: what was counted of it before is taken out and the
new figures put in, in one transaction. ``CountedDay`` says which settlements they hold, so that a
round that came late, was settled again or voided has its day counted anew.

A day is the day in Rome that a round's id tells; rounds of a clock that stood before 1970 count on
the first of 1970.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from rounds.models import Table


class What(models.TextChoices):
    """What a watch looks at."""

    RETURN = "return", _("Return of a bet")
    CARDS = "cards", _("Cards dealt")
    LEVELS = "levels", _("Levels of the bonus")
    VOIDS = "voids", _("Direction of void rounds")


class CountedDay(models.Model):
    """How many settlements of a day's rounds, booked on one day, its figures hold.

    Settlements are only ever added, so an equal number is the same settlements.
    """

    pk = models.CompositePrimaryKey("day", "booked_on")
    day = models.DateField()
    booked_on = models.DateField()
    settlements = models.BigIntegerField()

    class Meta:
        default_permissions = ()


class CountedBooks(models.Model):
    """A closed day: whatever was booked until it is in the figures, for good."""

    booked_on = models.DateField(primary_key=True)

    class Meta:
        default_permissions = ()


class DailyFigures(models.Model):
    """What all figures are by."""

    day = models.DateField(_("day"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(_("rule set"), max_length=64)

    class Meta:
        abstract = True


class DailyReturn(DailyFigures):
    """What the bets of one kind staked and were paid. Void bets are left out.

    Money is in cents and of bets for cash: golden chips are paid otherwise. The sums of squares are
    over rounds, each with all its bets of the kind taken together, so that the error of the return
    can be told with the round as its unit.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "kind")
    kind = models.CharField(_("bet kind"), max_length=32)
    rounds = models.BigIntegerField(_("rounds"))
    """With such a bet for cash."""
    bets = models.BigIntegerField(_("bets"))
    golden_bets = models.BigIntegerField()
    """Of golden chips; not among ``bets``, and their money not among the sums."""
    staked_cents = models.BigIntegerField(_("staked"))
    """Raises among it."""
    payout_cents = models.BigIntegerField(_("paid"))
    staked_squared = models.DecimalField(max_digits=40, decimal_places=0)
    """Sum over the rounds of the square of what the round's bets staked."""
    staked_by_payout = models.DecimalField(max_digits=40, decimal_places=0)
    payout_squared = models.DecimalField(max_digits=40, decimal_places=0)

    class Meta:
        default_permissions = ()


class DailyOutcome(DailyFigures):
    """In how many rounds the bets of one kind came to these outcomes; main bets are not here.

    Outcomes are named as the certificate names them. A box counts once, however many bet on it.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "kind", "outcomes")
    kind = models.CharField(_("bet kind"), max_length=32)
    outcomes = models.CharField(max_length=255)
    """One a box, in alphabetical order, with a space between: ``"mixed-pair no-pair no-pair"``."""
    rounds = models.BigIntegerField(_("rounds"))

    class Meta:
        default_permissions = ()


class DailyEvidence(DailyFigures):
    """What the day's rounds say for each alternative: logarithms, which add up.

    ``kind`` is empty for what is no bet.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "what", "kind")
    what = models.CharField(max_length=8, choices=What.choices)
    kind = models.CharField(_("bet kind"), max_length=32)
    rounds = models.BigIntegerField(_("rounds"))
    logs = ArrayField(models.FloatField())

    class Meta:
        default_permissions = ()


class DailyCards(DailyFigures):
    """Cards that were dealt in settled rounds, in the order of ``rounds.rules.cards.CARDS``.

    ``expected`` is the sum of each card's chances to be the next, given all that had left its shoe
    before; ``variance`` the sum of chance times its complement.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules")
    rounds = models.BigIntegerField(_("rounds"))
    dealt = ArrayField(models.BigIntegerField())
    expected = ArrayField(models.FloatField())
    variance = ArrayField(models.FloatField())

    class Meta:
        default_permissions = ()


class DailyOccurrence(DailyFigures):
    """How often something of a bonus or a multiplier card came, and how often it should have."""

    class Of(models.TextChoices):
        """What is counted."""

        LEVEL = "level", _("Level of the bonus")
        POINTS = "points", _("Fire Blaze points")
        GRID = "grid", _("Multiplier of the bonus grid")
        MULTIPLIER_CARD = "card", _("Multiplier card")

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "of", "name")
    of = models.CharField(max_length=8, choices=Of.choices)
    name = models.CharField(max_length=64)
    """The level (``"none"`` without one), the points, ``"mini 25"``, the card's value."""
    times = models.BigIntegerField()
    """Rounds; of multiplier cards, cards."""
    expected = models.FloatField(null=True)
    """None where no chance is certified."""

    class Meta:
        default_permissions = ()


class DailyVoids(DailyFigures):
    """How rounds went for the house, and how those would have gone that were made void.

    A void round is judged again by its cards, as if nothing had broken down; what its rules cannot
    judge so (a card is missing) is only counted.
    """

    pk = models.CompositePrimaryKey("day", "table_id", "rules")
    rounds = models.BigIntegerField(_("rounds"))
    """Settled with bets and not void."""
    house_won = models.BigIntegerField()
    """Of these the rounds that paid less than was staked."""
    house_lost = models.BigIntegerField()
    """Of these the rounds that paid more than was staked."""
    void_rounds = models.BigIntegerField(_("void rounds"))
    void_not_judged = models.BigIntegerField()
    void_house_won = models.BigIntegerField()
    """Of the void rounds those that would have paid less: the void cost the house."""
    void_house_lost = models.BigIntegerField()
    """Of the void rounds those that would have paid more: the void spared the house."""
    void_staked_cents = models.BigIntegerField()
    """Of the void rounds that could be judged."""
    void_payout_cents = models.BigIntegerField()
    """What these would have paid."""

    class Meta:
        default_permissions = ()
