"""Settlements and bet results. Append-only; the latest sequence is in force."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from payouts.settlement.models.settlement_triggers import settlement_agrees, settlement_released
from rounds.models import Round
from rounds.models.closed_days import books_are_open


class Settlement(models.Model):
    """The settlement of a round. A round is settled if this row exists.

    The key (round, sequence) prevents paying twice, as do the keys of the transfers. The row is
    written last; the database refuses it unless bets, bet results and transfers agree with it
    (``settlement_agrees``).

    Workers make the first settlement of a round that is not held. All others need two persons
    (``actor``, ``approved_by``) and a ``reason``.
    """

    class Kind(models.TextChoices):
        """A void is a settlement in which every bet is void."""

        SETTLED = "settled", _("Settled")
        VOID = "void", _("Void")

    partition_key = "round_id"

    pk = models.CompositePrimaryKey("round_id", "sequence")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="settlements", db_constraint=False, db_index=False
    )
    sequence = models.SmallIntegerField(_("settlement"))
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    rules = models.CharField(_("rule set"), max_length=64)
    rules_digest = models.BinaryField(max_length=32)
    """The digest of the rule set."""
    staked_cents = models.BigIntegerField(_("staked"))
    payout_cents = models.BigIntegerField(_("paid"))
    chips_cents = models.BigIntegerField(_("golden chips returned"))
    bonus = models.JSONField(null=True)
    results_digest = models.BinaryField(max_length=32)
    """SHA-256 over the bet results (``payouts.settlement.bet_results``)."""
    settled_at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    approved_by = models.CharField(_("approved by"), max_length=200, null=True)
    reason = models.TextField(_("reason"), default="")
    booked_on = models.DateField(_("booked on"))
    """The booking day (``rounds.booking_day``): the day of play unless that was closed."""

    class Meta:
        verbose_name = _("settlement")
        verbose_name_plural = _("number of settlements")
        triggers = [
            *append_only("settlement"),
            settlement_agrees,
            settlement_released,
            books_are_open("settlement"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    sequence__gte=1,
                    payout_cents__gte=0,
                    chips_cents__gte=0,
                    chips_cents__lte=models.F("payout_cents"),
                ),
                name="settlement_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(sequence=1, approved_by=None)
                | models.Q(approved_by__isnull=False) & ~models.Q(approved_by=models.F("actor")),
                name="settled_again_by_two",
            ),
            models.CheckConstraint(
                condition=models.Q(approved_by=None) | ~models.Q(reason=""),
                name="decided_with_a_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["round"], name="void_rounds", condition=models.Q(kind="void")),
            models.Index(
                fields=["payout_cents", "round"],
                name="settlement_by_payout",
                condition=models.Q(payout_cents__gt=0),  # a payout of zero is not searched
            ),
            models.Index(fields=["booked_on", "round"], name="settlement_by_booking"),
            models.Index(fields=["settled_at", "round"], name="settlement_by_time"),
        ]
        default_permissions = ("view",)


class BetSettlement(models.Model):
    """The result of one bet in a settlement, with the rules that it cites."""

    class Outcome(models.TextChoices):
        """Payout above, equal to or below the stake; void if the bet did not count."""

        WIN = "win", _("Won")
        PUSH = "push", _("Push")
        LOSE = "lose", _("Lost")
        VOID = "void", _("Void")

    partition_key = "round_id"

    pk = models.CompositePrimaryKey("round_id", "sequence", "bet_number")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    sequence = models.SmallIntegerField()
    bet_number = models.IntegerField()
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome.choices)
    payout_cents = models.BigIntegerField(_("paid, stakes included"))
    chips_cents = models.BigIntegerField(_("of which golden chips"))
    reasons = ArrayField(models.CharField(max_length=64), verbose_name=_("rules"))

    class Meta:
        verbose_name = _("bet settlement")
        verbose_name_plural = _("bet settlements")
        triggers = append_only("bet_settlement")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    payout_cents__gte=0,
                    chips_cents__gte=0,
                    chips_cents__lte=models.F("payout_cents"),
                ),
                name="bet_settlement_in_range",
            ),
        ]
        default_permissions = ("view",)
