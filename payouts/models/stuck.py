"""Work that stands still: tasks that keep failing, and who took which stuck work in hand.

What waits or failed is told by the tables it stands in (``QueuedRound``, ``ConflictingDocument``,
``QuarantinedDocument``, ``FailingTask``). What people did about it is a chain of steps beside it,
added and never edited; the latest says who has it and whether it was dealt with.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from rounds.models import ConflictingDocument, QuarantinedDocument, Round


class FailingTask(models.Model):
    """One time in which a background task failed, from its first failure to its recovery.

    Written by the workers as they run. A state and no fact: failures are counted in the row, and
    a success ends it.
    """

    task = models.CharField(_("task"), max_length=100)
    failures = models.IntegerField(_("failures"), default=1)
    first_failed_at = models.DateTimeField(_("first failure"))
    last_failed_at = models.DateTimeField(_("last failure"))
    last_error = models.TextField(_("last error"))
    takes_arguments = models.BooleanField(default=False)
    """Whether it was called with arguments, without which nobody can run it again."""
    recovered_at = models.DateTimeField(_("recovered"), null=True)

    class Meta:
        verbose_name = _("failing task")
        verbose_name_plural = _("failing tasks")
        indexes = [models.Index(fields=["task", "-id"], name="failures_of_a_task")]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.task


class WorkKind(models.TextChoices):
    """What stands still; also the name of the column of ``StuckWorkStep`` that refers to it."""

    ROUND = "round", _("Round not settled")
    CONFLICT = "conflict", _("Conflict")
    DOCUMENT = "document", _("Quarantine")
    TASK = "task", _("Failing task")


class StuckWorkStep(models.Model):
    """One thing that a person did about one piece of stuck work. The latest ``sequence`` counts.

    Exactly one of the four references is set. The key (reference, sequence) makes it impossible
    that two people who act at once both build on the same step.
    """

    class Action(models.TextChoices):
        """What was done. An assignment opens again what was dealt with."""

        ASSIGNED = "assigned", _("Assigned")
        RETRIED = "retried", _("Tried again")
        TAKEN = "taken", _("Taken when tried again")
        RESOLVED = "resolved", _("Dealt with")

    round = models.ForeignKey(
        Round, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )
    conflict = models.ForeignKey(
        ConflictingDocument, models.PROTECT, null=True, related_name="+", db_index=False
    )
    document = models.ForeignKey(
        QuarantinedDocument, models.PROTECT, null=True, related_name="+", db_index=False
    )
    task = models.ForeignKey(
        FailingTask, models.PROTECT, null=True, related_name="+", db_index=False
    )
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    """Who has the work after this step; None for nobody."""
    note = models.TextField(_("note"), default="", blank=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("stuck work")
        verbose_name_plural = _("stuck work")
        triggers = [*append_only("stuck_step"), kept("stuck_step")]
        constraints = [
            *(
                models.UniqueConstraint(
                    fields=[kind, "sequence"],
                    name=f"one_{kind}_step",
                    condition=models.Q((f"{kind}__isnull", False)),
                )
                for kind in WorkKind.values
            ),
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1), name="stuck_steps_count_from_one"
            ),
            models.CheckConstraint(
                condition=~models.Q(action="resolved") | ~models.Q(note=""),
                name="resolved_with_a_reason",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    Exact(
                        models.Func(
                            "round",
                            "conflict",
                            "document",
                            "task",
                            function="num_nonnulls",
                            output_field=models.IntegerField(),
                        ),
                        1,
                    )
                ),
                name="stuck_step_of_one_thing",
            ),
        ]
        default_permissions = ("view",)
        permissions = [("handle_stuck_work", "Can assign, retry and resolve stuck work")]

    @property
    def is_closing(self) -> bool:
        """Whether the work is dealt with as long as this step is the latest."""
        return self.action in CLOSING


CLOSING: Final = (StuckWorkStep.Action.RESOLVED, StuckWorkStep.Action.TAKEN)
"""Work whose latest step is one of these is not stuck any more."""
