"""Settlements: what every bet of a round paid. Append-only; the latest sequence counts."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from payouts.models.agreement import settlement_agrees
from rounds.models import Round
from rounds.models.books import books_are_open


class Settlement(models.Model):
    """The decision on all money of a round.

    Whether a round is settled is the existence of this row. The key (round, sequence) is the
    first guard against paying twice; the keys of its transfers are the second. The row is written
    last, and refused by the database unless the bets of the round, what each of them was paid, and
    the transfers agree with it (``settlement_agrees``).

    The first settlement is a worker's, or of a held round two persons'; every further one is two
    persons' (``actor`` and ``approved_by``), with a ``reason``.
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
    """Of the rule set as it settled the round."""
    staked_cents = models.BigIntegerField(_("staked"))
    payout_cents = models.BigIntegerField(_("paid"))
    chips_cents = models.BigIntegerField(_("golden chips given back"))
    bonus = models.JSONField(null=True)
    results_digest = models.BinaryField(max_length=32)
    """SHA-256 over what each bet was paid (``payouts.services.results``)."""
    settled_at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    approved_by = models.CharField(_("approved by"), max_length=200, null=True)
    reason = models.TextField(_("reason"), default="")
    booked_on = models.DateField(_("booked on"))
    """The day whose books it enters: that of play, unless it was closed (``rounds.books``)."""

    class Meta:
        verbose_name = _("settlement")
        verbose_name_plural = _("settlements")
        triggers = [*append_only("settlement"), settlement_agrees, books_are_open("settlement")]
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
                condition=models.Q(payout_cents__gt=0),  # nobody looks for nothing
            ),
            models.Index(fields=["booked_on", "round"], name="settlement_by_booking"),
        ]
        default_permissions = ("view",)


class BetSettlement(models.Model):
    """What one bet paid in one settlement of its round, and by which rules of the sheet."""

    class Outcome(models.TextChoices):
        """Payout above, equal to or below what was staked; void when the bet never counted."""

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
