"""Halts: no case is executed after one without valid signatures, until two persons resume."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.case import Case


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


class CaseHaltStep(models.Model):
    """A step of two persons who resume the execution. Append-only."""

    class Action(models.TextChoices):
        """The action taken."""

        PROPOSED = "proposed", _("Resumption proposed")
        RESUMED = "resumed", _("Resumed")

    pk = models.CompositePrimaryKey("halt_id", "sequence")
    halt = models.ForeignKey(CaseHalt, models.PROTECT, related_name="steps", db_index=False)
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("note"))
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("step of a halt")
        verbose_name_plural = _("steps of a halt")
        triggers = [
            *append_only("case_halt_step"),
            attested_rows("case_halt_step", key="halt_id,sequence"),
            pgtrigger.Trigger(
                name="halt_resumed_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__action="resumed"),
                func="""
                    IF NOT EXISTS (SELECT FROM payouts_casehaltstep AS before
                                    WHERE before.halt_id = NEW.halt_id
                                      AND before.action = 'proposed'
                                      AND before.actor_user_id <> NEW.actor_user_id
                                      AND lower(before.actor) <> lower(NEW.actor)) THEN
                        RAISE EXCEPTION 'halt %: found no proposal of another person than %',
                            NEW.halt_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sequence__in=[1, 2]) & ~models.Q(note=""),
                name="halt_resumed_in_two_steps",
            ),
        ]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        details = {"case": str(self.halt.case), "step": self.sequence, "note": self.note}
        action = {"proposed": "CASES_RESUMPTION_PROPOSED", "resumed": "CASES_RESUMED"}[self.action]
        return Entry(action, "cases", details)
