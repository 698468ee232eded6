"""Rounds, their bets and their validations. All append-only and partitioned by month."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.storage.append_only import append_only
from rounds.models.closed_days import books_are_open
from rounds.models.signed_batch import SignedBatch
from rounds.models.table import Customer, StakeLimitSet, Table


class RoundName(models.Model):
    """The studio's id of a round, unique over all months.

    A unique index of the partitioned table of rounds could not enforce that.
    """

    reference = models.CharField(_("round"), max_length=64, primary_key=True)
    round_id = models.UUIDField()
    digest = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("ID of a round")
        verbose_name_plural = _("IDs of rounds")
        triggers = append_only("round_name")
        default_permissions = ()


class Round(models.Model):
    """One finished round, as the studio delivered it.

    ``id`` is a version 7 UUID derived from ``opened_at`` and ``reference``: it orders and
    partitions big tables by time of play. ``shoe_position`` and ``shoe_seen`` are the state of the
    shoe when the round arrived: with them, any worker validates the round with the same result.
    """

    partition_key = "id"

    id = models.UUIDField(primary_key=True, editable=False)
    arrival = models.BigIntegerField()
    reference = models.CharField(_("round"), max_length=64)
    """Unique by ``RoundName``; look it up there."""
    table = models.ForeignKey(
        Table, models.PROTECT, related_name="rounds", db_index=False, verbose_name=_("table")
    )
    limit_set = models.ForeignKey(StakeLimitSet, models.PROTECT, null=True, db_index=False)
    rules = models.CharField(_("rule set"), max_length=64)
    rules_digest = models.BinaryField(max_length=32)
    """Of the rule set on arrival; a round is settled by no other."""
    shoe = models.TextField(_("shoe"), null=True)
    drawn = models.BigIntegerField(_("cards drawn earlier"), null=True)
    shoe_position = models.BigIntegerField(null=True)
    shoe_seen = models.BinaryField(max_length=52, null=True)
    opened_at = models.DateTimeField(_("opened"))
    closed_at = models.DateTimeField(_("betting closed"))
    ended_at = models.DateTimeField(_("ended"))
    session = models.TextField(_("AAMS session"))
    cards = ArrayField(models.CharField(max_length=8), verbose_name=_("cards"))
    """``"1a 8H"``: place and card, in dealing order."""
    multipliers = models.JSONField(null=True)
    bonus = models.JSONField(null=True)
    disconnects = models.JSONField(null=True)
    malfunction = models.BooleanField(_("declared broken by the studio"))
    dealer = models.CharField(pgettext_lazy("person", "dealer"), max_length=64, null=True)
    """The dealer's pseudonym. Null where the studio does not give it, as of the next three."""
    shift = models.CharField(_("shift"), max_length=64, null=True)
    location = models.CharField(_("location"), max_length=64, null=True)
    video = models.JSONField(_("video"), null=True)
    """Where the recording is, and its SHA-256."""
    bet_count = models.IntegerField(_("bets"))
    staked_cents = models.BigIntegerField(_("staked"))
    digest = models.BinaryField(max_length=32)
    source = models.CharField(_("source"), max_length=200)
    received_at = models.DateTimeField(_("received"))
    booked_on = models.DateField(_("booked on"))
    """The day its stakes are booked on: that of play unless closed (``rounds.booking_day``)."""
    arrival_anomalies = ArrayField(models.CharField(max_length=32), db_default=[])
    """Codes that hold the round because of its arrival, until two persons release it."""
    signed_batch = models.ForeignKey(
        SignedBatch,
        models.DO_NOTHING,
        null=True,
        related_name="rounds",
        db_constraint=False,
        db_index=False,
        verbose_name=_("signed batch"),
    )
    """What the studio signed; null for an unsigned round. ``verify_trail`` verifies it again."""

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        triggers = [*append_only("round"), books_are_open("round")]
        indexes = [
            models.Index(fields=["opened_at"], name="round_by_time"),
            models.Index(fields=["session", "id"], name="round_by_session"),
            models.Index(fields=["shoe", "-arrival"], name="round_by_shoe"),
            models.Index(fields=["table", "id"], name="round_by_table"),
            models.Index(fields=["rules", "id"], name="round_by_rules"),
            models.Index(fields=["table", "rules", "id"], name="round_by_table_rules"),
            models.Index(fields=["staked_cents", "id"], name="round_by_stake"),
            models.Index(fields=["booked_on", "id"], name="round_by_booking"),
            models.Index(fields=["received_at", "id"], name="round_by_receipt"),
            models.Index(
                fields=["source", "id"],
                name="round_held_on_arrival",
                condition=~models.Q(arrival_anomalies=[]),
            ),
            models.Index(
                fields=["signed_batch"],
                name="round_by_signed_batch",
                condition=models.Q(signed_batch__isnull=False),
            ),
        ]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.reference

    @property
    def game_code(self) -> str:
        """The code that players see: ``#HH:MM:SS`` of the opening, in GMT ([BJ] Codice partita)."""
        return f"#{self.opened_at:%H:%M:%S}"


class Bet(models.Model):
    """One bet of a round; ``number`` is its index in the feed's list, from 0.

    Without a foreign key in the database: the check for each of a hundred thousand bets would be
    the most expensive part of storing them. Round and bets are written in one transaction, and
    neither can be changed or deleted.
    """

    partition_key = "round_id"

    pk = models.CompositePrimaryKey("round_id", "number")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="bets", db_constraint=False, db_index=False
    )
    number = models.IntegerField()
    reference = models.TextField(_("bet"))
    customer = models.ForeignKey(
        Customer, models.DO_NOTHING, related_name="bets", db_constraint=False, db_index=False
    )
    participation = models.TextField(_("AAMS participation"))
    box = models.SmallIntegerField(_("box"), null=True)
    kind = models.CharField(_("kind"), max_length=32)
    stake_cents = models.BigIntegerField(_("stake"))
    raised_cents = models.BigIntegerField(_("raised"))
    play = models.TextField(_("play"))
    golden = models.BooleanField(_("golden chips"))
    behind = models.BooleanField(_("bet behind"))
    follows = models.BooleanField(_("follows the owner's raises"))
    placed_at = models.DateTimeField(_("placed"))
    reported_cents = models.BigIntegerField(_("payout reported by the studio"), null=True)

    class Meta:
        verbose_name = _("bet")
        verbose_name_plural = _("bets")
        triggers = append_only("bet")
        indexes = [
            models.Index(fields=["customer", "-round"], name="bet_by_customer"),
            models.Index(fields=["participation"], name="bet_by_participation"),
        ]
        default_permissions = ("view",)


class Validation(models.Model):
    """The validation of a round by its rules; the latest ``sequence`` counts."""

    class Status(models.TextChoices):
        """Whether the round complies with its rules."""

        VALIDATED = "validated", _("Validated")
        HELD = "held", _("Held")

    partition_key = "round_id"

    pk = models.CompositePrimaryKey("round_id", "sequence")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="validations", db_constraint=False, db_index=False
    )
    sequence = models.SmallIntegerField()
    status = models.CharField(_("status"), max_length=16, choices=Status.choices)
    anomalies = ArrayField(models.CharField(max_length=32), verbose_name=_("anomalies"))
    validated_at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        verbose_name = _("validation")
        verbose_name_plural = _("validations")
        triggers = append_only("validation")
        indexes = [
            models.Index(fields=["round"], name="held_rounds", condition=models.Q(status="held")),
            models.Index(
                fields=["validated_at", "round"],
                name="held_by_time",
                condition=models.Q(status="held"),
            ),
        ]
        default_permissions = ("view",)
