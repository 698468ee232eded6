"""Disputes: a customer contests the settlement of a round.

A dispute never changes. Its finding, its evidence and its steps (``DisputeStep``) are append-only.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.evidence import Evidence
from rounds.models import Customer, Round


class Dispute(models.Model):
    """A round, or one bet of it, that a customer contests."""

    class Reason(models.TextChoices):
        """What the customer contests."""

        WRONG_PAYOUT = "wrong_payout", _("Wrong payout")
        WRONG_CARDS = "wrong_cards", _("Wrong cards")
        BET_NOT_RECOGNISED = "bet_not_recognised", _("Bet not recognised")
        MALFUNCTION = "malfunction", _("Malfunction")
        BONUS = "bonus", _("Bonus or multiplier")
        OFF_LINE = "off_line", _("Hand completed offline")
        LATE_BET = "late_bet", _("Late bet")
        OTHER = "other", pgettext_lazy("dispute", "Other")

    class OpenedBy(models.TextChoices):
        """Who opened it."""

        PERSON = "person", _("An employee")
        KEY = "key", _("A program with its API key")
        CUSTOMER = "customer", _("The customer")

    class Language(models.TextChoices):
        """The language of the correspondence."""

        ITALIAN = "it", _("Italian")
        ENGLISH = "en", _("English")

    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="+", db_constraint=False, verbose_name=_("round")
    )
    bet_number = models.IntegerField(_("bet"), null=True)
    """None if all bets of the customer are contested."""
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="disputes", verbose_name=_("customer")
    )
    opened_by = models.CharField(_("opened by"), max_length=16, choices=OpenedBy.choices)
    reason = models.CharField(_("reason"), max_length=32, choices=Reason.choices)
    claimed_cents = models.BigIntegerField(_("claimed"), null=True)
    text = models.TextField(_("customer's statement"))
    language = models.CharField(_("language"), max_length=2, choices=Language.choices)
    opened_at = models.DateTimeField(_("opened"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        triggers = [*append_only("dispute"), attested_rows("dispute")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(claimed_cents=None) | models.Q(claimed_cents__gt=0),
                name="dispute_claims_something",
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="dispute_says_something"),
        ]
        indexes = [models.Index(fields=["opened_at", "id"], name="dispute_by_time")]
        default_permissions = ("view",)
        permissions = [
            ("open_dispute", "Can open disputes and speak with customers about them"),
            ("decide_dispute", "Can uphold, reject and close disputes"),
        ]

    def __str__(self) -> str:
        return f"D-{self.pk:04}"


class DisputeFinding(models.Model):
    """The finding about the round when the dispute was opened.

    ``content`` is JSON (``payouts.disputes.replay_comparison``); ``digest`` is SHA-256 over its
    canonical encoding.
    """

    dispute = models.OneToOneField(
        Dispute, models.PROTECT, primary_key=True, related_name="finding"
    )
    content = models.JSONField()
    digest = models.BinaryField(max_length=32)
    agrees = models.BooleanField(null=True)
    """Whether the rules give what was settled; None if unknown."""
    found_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("evaluation of a disputed round")
        verbose_name_plural = _("evaluations of disputed rounds")
        triggers = [*append_only("finding"), attested_rows("finding", key="dispute_id")]
        default_permissions = ()


class DisputeEvidence(Evidence):
    """A file that customer or casino handed in."""

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="evidence")

    class Meta:
        verbose_name = _("evidence of a dispute")
        verbose_name_plural = _("evidence of disputes")
        triggers = [*append_only("dispute_evidence"), attested_rows("dispute_evidence")]
        default_permissions = ()


class EvidenceShare(models.Model):
    """The sharing of a file with the customer. It cannot be revoked.

    Files from the customer or a program are shared at once, files from staff when a person shares
    them.
    """

    evidence = models.OneToOneField(
        DisputeEvidence, models.PROTECT, primary_key=True, related_name="share"
    )
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("sharing of evidence")
        verbose_name_plural = _("sharing of evidence")
        triggers = [
            *append_only("evidence_share"),
            attested_rows("evidence_share", key="evidence_id"),
        ]
        default_permissions = ()
