"""What was decided, and the record of who did it."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from benchmarks.peers.naive_app.rounds import Round


class Settlement(models.Model):
    """The decision on all money of a round."""

    pk = models.CompositePrimaryKey("round_id", "sequence")
    round = models.ForeignKey(Round, models.PROTECT, db_constraint=False, db_index=False)
    sequence = models.SmallIntegerField()
    kind = models.CharField(max_length=16)
    rules = models.CharField(max_length=64)
    staked_cents = models.BigIntegerField()
    payout_cents = models.BigIntegerField()
    chips_cents = models.BigIntegerField()
    settled_at = models.DateTimeField()
    actor = models.CharField(max_length=200)

    objects: ClassVar[models.Manager["Settlement"]] = models.Manager()

    class Meta:
        app_label = "naive"


class BetSettlement(models.Model):
    """What one bet paid, and by which rules of the sheet."""

    pk = models.CompositePrimaryKey("round_id", "sequence", "bet_number")
    round = models.ForeignKey(Round, models.PROTECT, db_constraint=False, db_index=False)
    sequence = models.SmallIntegerField()
    bet_number = models.IntegerField()
    outcome = models.CharField(max_length=8)
    payout_cents = models.BigIntegerField()
    chips_cents = models.BigIntegerField()
    reasons = ArrayField(models.CharField(max_length=64))

    objects: ClassVar[models.Manager["BetSettlement"]] = models.Manager()

    class Meta:
        app_label = "naive"


class AuditRecord(models.Model):
    """One thing that happened to a bet or to a round."""

    at = models.DateTimeField()
    actor = models.CharField(max_length=200)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=120)
    details = models.JSONField(default=dict)
    leaf = models.BinaryField(max_length=32)

    objects: ClassVar[models.Manager["AuditRecord"]] = models.Manager()

    class Meta:
        app_label = "naive"
        indexes = [models.Index(fields=["subject", "id"], name="naive_trail_by_subject")]
