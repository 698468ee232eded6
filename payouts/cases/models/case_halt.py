"""Halts: no case is executed after one without valid signatures, until two persons resume."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.case import Case
from payouts.resumption_step import ResumptionStep, in_two_steps, resumed_by_another


class CaseHalt(models.Model):
    """A case whose decision could not be verified. Workers execute none until it is resumed."""

    case = models.OneToOneField(Case, models.PROTECT, related_name="halt")
    error = models.TextField(_("error"))
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("halt of the execution of cases")
        verbose_name_plural = _("halts of the execution of cases")
        triggers = [*append_only("case_halt"), attested_rows("case_halt")]
        default_permissions = ()


class CaseHaltStep(ResumptionStep):
    """A step of two persons who resume the execution. Append-only."""

    pk = models.CompositePrimaryKey("halt_id", "sequence")
    halt = models.ForeignKey(CaseHalt, models.PROTECT, related_name="steps", db_index=False)

    class Meta:
        verbose_name = _("step of a halt")
        verbose_name_plural = _("steps of a halt")
        triggers = [
            *append_only("case_halt_step"),
            attested_rows("case_halt_step", key="halt_id,sequence"),
            resumed_by_another("payouts_casehaltstep", stop="halt"),
        ]
        constraints = [in_two_steps("halt")]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        details = {"case": str(self.halt.case), "step": self.sequence, "note": self.note}
        action = {"proposed": "CASES_RESUMPTION_PROPOSED", "resumed": "CASES_RESUMED"}[self.action]
        return Entry(action, "cases", details)
