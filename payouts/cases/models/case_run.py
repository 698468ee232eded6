"""The execution of an approved case by the workers: mutable state, no fact."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from payouts.cases.models.case import Case
from rounds.models import Round


class CaseRun(models.Model):
    """The execution of an approved case."""

    case = models.OneToOneField(Case, models.PROTECT, primary_key=True, related_name="run")
    approved_at = models.DateTimeField(_("approved"))
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("execution of a case")
        verbose_name_plural = _("executions of cases")
        indexes = [
            models.Index(
                fields=["case"], name="unfinished_cases", condition=models.Q(finished_at=None)
            ),
        ]
        default_permissions = ()
        triggers = [
            pgtrigger.Protect(
                name="case_run_begins_unfinished",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__finished_at__isnull=False),
            ),
        ]


class CaseWork(models.Model):
    """One round of an execution, or its credit. Done in the transaction that moves the money."""

    class Outcome(models.TextChoices):
        """How it ended."""

        DONE = "done", _("Done")
        NOTHING = "nothing", _("Nothing to do")
        REFUSED = "refused", _("Action failed")

    run = models.ForeignKey(CaseRun, models.PROTECT, related_name="works", db_index=False)
    number = models.IntegerField()
    round = models.ForeignKey(
        Round, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )
    after = models.SmallIntegerField()
    """The settlement that was decided about; 0 for a held round."""
    outcome = models.CharField(_("outcome"), max_length=16, choices=Outcome.choices, default="")
    sequence = models.SmallIntegerField(_("settlement"), null=True)
    owed_cents = models.BigIntegerField(_("owed"), default=0)
    error = models.TextField(_("last error"), default="")
    attempts = models.IntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("next attempt"))
    done_at = models.DateTimeField(_("done"), null=True)

    class Meta:
        verbose_name = _("work item of a case")
        verbose_name_plural = _("work items of a case")
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="case_work_counts"),
            models.CheckConstraint(
                condition=models.Q(done_at=None, outcome="")
                | models.Q(models.Q(done_at__isnull=False), ~models.Q(outcome="")),
                name="case_work_done_with_an_outcome",
            ),
        ]
        default_permissions = ()
        triggers = [
            pgtrigger.Protect(
                name="case_work_begins_undone",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__done_at__isnull=False)
                | pgtrigger.Q(new__sequence__isnull=False)
                | ~pgtrigger.Q(new__owed_cents=0),
            ),
        ]
