"""Rounds and bets, as far as a settlement reads them."""

from typing import ClassVar

from django.db import models


class Customer(models.Model):
    """The person behind a bet."""

    pseudonym = models.TextField(unique=True)

    objects: ClassVar[models.Manager["Customer"]] = models.Manager()

    class Meta:
        app_label = "naive"


class Round(models.Model):
    """One finished round."""

    id = models.UUIDField(primary_key=True)
    reference = models.CharField(max_length=64, unique=True)
    rules = models.CharField(max_length=64)
    opened_at = models.DateTimeField(db_index=True)
    bet_count = models.IntegerField()
    staked_cents = models.BigIntegerField()

    objects: ClassVar[models.Manager["Round"]] = models.Manager()

    class Meta:
        app_label = "naive"


class Bet(models.Model):
    """One bet of a round; ``number`` is its place in the feed's list, from 0."""

    pk = models.CompositePrimaryKey("round_id", "number")
    round = models.ForeignKey(
        Round, models.PROTECT, related_name="bets", db_constraint=False, db_index=False
    )
    number = models.IntegerField()
    reference = models.TextField()
    customer = models.ForeignKey(Customer, models.PROTECT, db_constraint=False, db_index=False)
    participation = models.TextField(db_index=True)
    box = models.SmallIntegerField(null=True)
    kind = models.CharField(max_length=32)
    stake_cents = models.BigIntegerField()
    raised_cents = models.BigIntegerField()
    play = models.TextField()
    golden = models.BooleanField()
    behind = models.BooleanField()
    follows = models.BooleanField()
    placed_at = models.DateTimeField()
    reported_cents = models.BigIntegerField(null=True)

    objects: ClassVar[models.Manager["Bet"]] = models.Manager()

    class Meta:
        app_label = "naive"
        indexes = [models.Index(fields=["customer", "-round"], name="naive_bet_by_customer")]
