"""Failing tasks, and the steps of persons on exceptions.

The work itself is a row of ``QueuedRound``, ``ConflictingDocument``, ``QuarantinedDocument`` or
``FailingTask``. Its steps are append-only; the latest gives its owner and whether it is resolved.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models import ConflictingDocument, QuarantinedDocument, Round


class FailingTask(models.Model):
    """The failures of a background task, from the first one to its recovery.

    Mutable state, written by the workers.
    """

    task = models.CharField(_("task"), max_length=100)
    failures = models.IntegerField(_("failures"), default=1)
    first_failed_at = models.DateTimeField(_("first failure"))
    last_failed_at = models.DateTimeField(_("last failure"))
    last_error = models.TextField(_("last error"))
    takes_arguments = models.BooleanField(default=False)
    """Whether it was called with arguments, and so cannot be run again by hand."""
    recovered_at = models.DateTimeField(_("recovered"), null=True)

    class Meta:
        verbose_name = _("failing task")
        verbose_name_plural = _("failing tasks")
        indexes = [models.Index(fields=["task", "-id"], name="failures_of_a_task")]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.task


class WorkKind(models.TextChoices):
    """The kind of work; also the column of ``StuckWorkStep`` that refers to it."""

    ROUND = "round", _("Round not settled")
    CONFLICT = "conflict", _("Conflict")
    DOCUMENT = "document", _("Quarantine")
    TASK = "task", _("Failing task")


class StuckWorkStep(models.Model):
    """One action of a person on an exception.

    Exactly one of the four references is set. The key (reference, sequence) prevents two persons
    from building on the same step.
    """

    class Action(models.TextChoices):
        """The action taken. An assignment reopens resolved work."""

        ASSIGNED = "assigned", _("Assigned")
        RETRIED = "retried", _("Retried")
        TAKEN = "taken", _("Accepted on retry")
        RESOLVED = "resolved", _("Resolved")

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
    """The owner after this step; None for nobody."""
    note = models.TextField(_("note"), default="", blank=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("action on an exception")
        verbose_name_plural = _("actions on exceptions")
        triggers = [*append_only("stuck_step"), attested_rows("stuck_step")]
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
        """Whether the work is resolved while this step is the latest."""
        return self.action in CLOSING


CLOSING: Final = (StuckWorkStep.Action.RESOLVED, StuckWorkStep.Action.TAKEN)
"""The latest step of resolved work is one of these."""
