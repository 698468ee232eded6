"""Issued dossiers and their signatures. Append-only.

A dossier's content is fixed when it is issued; a worker with the key signs it later.
"""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.disputes.models import Dispute


class Dossier(models.Model):
    """The state of a dispute at one time, for one audience."""

    class Audience(models.TextChoices):
        """The reader. Only the regulator sees other customers."""

        CUSTOMER = "customer", _("Customer")
        OUTSIDE_BODY = "outside_body", _("External body")
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
        triggers = [*append_only("dossier"), attested_rows("dossier")]
        default_permissions = ()

    @property
    def payload(self) -> dict[str, Any]:
        """The signed JSON, parsed."""
        payload: dict[str, Any] = json.loads(self.content)
        return payload

    @property
    def name(self) -> str:
        """Base name of its files, without a suffix."""
        reference = self.payload["dispute"]["reference"]
        return f"{reference}-{self.audience}-{self.issued_at:%Y%m%dT%H%M%SZ}"


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
        triggers = [
            *append_only("dossier_signature"),
            attested_rows("dossier_signature", key="dossier_id"),
        ]
        default_permissions = ()
