"""Stops: no round is settled and no case executed after one, until two persons resume."""

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from payouts.resumption_step import ResumptionStep, in_two_steps, resumed_by_another


class IntegrityStop(models.Model):
    """A failed check of integrity. Append-only; it is open until two persons resume settlement."""

    class Kind(models.TextChoices):
        """The check that failed."""

        RELEASE = "release", _("Files of the release")
        SCHEMA = "schema", _("Guards of the database")
        TRAIL = "trail", _("Audit trail")
        BOOKS = "books", _("Books")
        RECHECK = "recheck", _("Random share")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(_("check"), max_length=16, choices=Kind.choices)
    at = models.DateTimeField(_("when"))
    count = models.IntegerField()
    """The number of findings, those included that are not listed."""
    findings = models.JSONField()
    """The first findings as texts, in English."""

    class Meta:
        verbose_name = _("settlement stop")
        verbose_name_plural = _("settlement stops")
        triggers = [*append_only("integrity_stop"), attested_rows("integrity_stop")]
        default_permissions = ("view",)
        permissions = [("resume_settlement", "Can resume settlement after a stop")]

    @property
    def subject(self) -> str:
        """What audit records are about."""
        return f"integrity-stop:{self.pk}"

    @property
    def entry(self) -> Entry:
        """Its audit record."""
        details = {"kind": self.kind, "count": self.count, "findings": self.findings}
        return Entry("INTEGRITY_CHECK_FAILED", self.subject, details)


class IntegrityStopStep(ResumptionStep):
    """A step of two persons who resume settlement after a stop. Append-only."""

    pk = models.CompositePrimaryKey("stop_id", "sequence")
    stop = models.ForeignKey(IntegrityStop, models.PROTECT, related_name="steps", db_index=False)

    class Meta:
        verbose_name = _("step of a settlement stop")
        verbose_name_plural = _("steps of a settlement stop")
        triggers = [
            *append_only("integrity_stop_step"),
            attested_rows("integrity_stop_step", key="stop_id,sequence"),
            resumed_by_another("payouts_integritystopstep", stop="stop"),
        ]
        constraints = [in_two_steps("stop")]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: the stop, its findings and the reason."""
        details = {
            **self.stop.entry.details,
            "stopped_at": self.stop.at.isoformat(),
            "step": self.sequence,
            "reason": self.note,
        }
        action = {"proposed": "SETTLEMENT_RESUMPTION_PROPOSED", "resumed": "SETTLEMENT_RESUMED"}
        return Entry(action[self.action], self.stop.subject, details)
