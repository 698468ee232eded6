"""Certificates of rule sets, and requests for them."""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows


class RuleCertificate(models.Model):
    """The signed returns of a rule set. Append-only."""

    rules = models.CharField(_("rule set"), max_length=64)
    rules_digest = models.BinaryField(max_length=32)
    content = models.TextField()
    """The JSON that was signed, byte for byte in UTF-8."""
    digest = models.BinaryField(max_length=32)
    """SHA-256 of the content."""
    signature = models.BinaryField()
    """Detached CMS, DER."""
    key_id = models.CharField(max_length=64)
    issued_at = models.DateTimeField(_("issued"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("certificate of a rule set")
        verbose_name_plural = _("certificates of rule sets")
        triggers = [*append_only("rule_certificate"), attested_rows("rule_certificate")]
        indexes = [models.Index(fields=["rules", "id"], name="certificate_by_rules")]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.rules} {self.issued_at:%Y-%m-%d}"

    @property
    def payload(self) -> dict[str, Any]:
        """The signed JSON, parsed."""
        payload: dict[str, Any] = json.loads(self.content)
        return payload


class CertificateRun(models.Model):
    """A requested certificate; a worker computes it."""

    rules = models.CharField(_("rule set"), max_length=64)
    asked_at = models.DateTimeField(_("requested"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)
    certificate = models.ForeignKey(RuleCertificate, models.PROTECT, null=True, related_name="runs")
    is_new = models.BooleanField(default=False)
    """Whether this run issued a new certificate."""
    last_error = models.TextField(default="")

    class Meta:
        verbose_name = _("certificate request")
        verbose_name_plural = _("certificate requests")
        constraints = [
            models.UniqueConstraint(
                fields=["rules"],
                condition=models.Q(finished_at=None),
                name="certificate_asked_for_once",
            ),
        ]
        default_permissions = ()

    def __str__(self) -> str:
        return self.rules
