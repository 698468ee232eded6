"""Replay links, their openings and their revocations. Append-only."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.exports.dossier.models import Dossier
from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models import Customer, Round

LONGEST: Final = timedelta(days=90)
"""How long a link is valid, at most."""


class ReplayLink(models.Model):
    """That whoever has a token may see one round, and of its bets those of one customer.

    Only the token's digest is stored: neither the database nor its backup opens the round. Without
    a customer, for the regulator alone, all bets are shown and no customer is named.
    """

    token_digest = models.BinaryField(max_length=32)
    """SHA-256 of the token."""
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="+", db_constraint=False, verbose_name=_("round")
    )
    audience = models.CharField(_("for"), max_length=16, choices=Dossier.Audience.choices)
    recipient = models.CharField(_("recipient"), max_length=200)
    customer = models.ForeignKey(
        Customer, models.PROTECT, null=True, related_name="+", verbose_name=_("customer")
    )
    purpose = models.CharField(_("purpose"), max_length=1000)
    at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        app_label = "exports"
        verbose_name = _("replay link")
        verbose_name_plural = _("replay links")
        triggers = [*append_only("replay_link"), attested_rows("replay_link")]
        constraints = [
            models.UniqueConstraint(fields=["token_digest"], name="one_link_of_a_token"),
            models.CheckConstraint(
                condition=Q(audience=Dossier.Audience.REGULATOR) | Q(customer__isnull=False),
                name="replay_link_of_a_customer",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("at"), expires_at__lte=F("at") + LONGEST),
                name="replay_link_ends",
            ),
        ]
        default_permissions = ("view",)
        permissions = [("make_replay_link", "Can make and revoke replay links")]


class ReplayLinkOpening(models.Model):
    """That a link was opened, and when. Nothing about who opened it."""

    link = models.ForeignKey(ReplayLink, models.PROTECT, related_name="openings")
    at = models.DateTimeField(_("when"))

    class Meta:
        app_label = "exports"
        verbose_name = _("opening of a replay link")
        verbose_name_plural = _("openings of replay links")
        triggers = [*append_only("replay_link_opening"), attested_rows("replay_link_opening")]
        default_permissions = ()


class ReplayLinkRevocation(models.Model):
    """That a link is no longer valid."""

    link = models.OneToOneField(
        ReplayLink, models.PROTECT, primary_key=True, related_name="revocation"
    )
    reason = models.CharField(_("reason"), max_length=1000)
    at = models.DateTimeField(_("revoked"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        app_label = "exports"
        verbose_name = _("revocation of a replay link")
        verbose_name_plural = _("revocations of replay links")
        triggers = [
            *append_only("replay_link_revocation"),
            attested_rows("replay_link_revocation", key="link_id"),
        ]
        default_permissions = ()
