"""Dossiers as they were issued, and their signatures. Both are only ever added to.

Whoever asks for a dossier fixes what it says; a worker that holds the key signs it. So the web
process needs no key, and a dossier that waits for its signature cannot say anything else any more.
"""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.models import Dispute


class Dossier(models.Model):
    """All that is known of a dispute at one moment, as one of three readers may see it."""

    class Audience(models.TextChoices):
        """Who is to read it. Only the regulator sees who else bet."""

        CUSTOMER = "customer", _("Customer")
        OUTSIDE_BODY = "outside_body", _("Outside body")
        REGULATOR = "regulator", _("Regulator")

    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="+")
    audience = models.CharField(_("for"), max_length=16, choices=Audience.choices)
    content = models.TextField()
    """The JSON that is signed, byte for byte in UTF-8."""
    digest = models.BinaryField(max_length=32)
    """SHA-256 of the content."""
    issued_at = models.DateTimeField(_("issued"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        app_label = "exports"
        verbose_name = _("dossier")
        verbose_name_plural = _("dossiers")
        triggers = [*append_only("dossier"), kept("dossier")]
        default_permissions = ()

    @property
    def told(self) -> dict[str, Any]:
        """What it says."""
        found: dict[str, Any] = json.loads(self.content)
        return found

    @property
    def name(self) -> str:
        """Of its files, without an ending."""
        return (
            f"{self.told['dispute']['reference']}-{self.audience}-{self.issued_at:%Y%m%dT%H%M%SZ}"
        )


class DossierSignature(models.Model):
    """The signature over a dossier's content."""

    dossier = models.OneToOneField(
        Dossier, models.PROTECT, primary_key=True, related_name="signature"
    )
    signature = models.BinaryField()
    """Detached CMS, DER."""
    key_id = models.CharField(max_length=64)
    signed_at = models.DateTimeField(_("signed"))

    class Meta:
        app_label = "exports"
        verbose_name = _("signature of a dossier")
        verbose_name_plural = _("signatures of dossiers")
        triggers = [*append_only("dossier_signature"), kept("dossier_signature", key="dossier_id")]
        default_permissions = ()
