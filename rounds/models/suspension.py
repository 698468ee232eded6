"""Tables that were suspended and resumed, step by step."""

from typing import Final

from django.db import models
from django.db.models.functions import Mod
from django.db.models.lookups import Exact
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from rounds.models.table import Table


class TableSuspension(models.Model):
    """One step: a table was suspended, or resumed. The latest ``sequence`` of a table counts.

    A table begins in play, so odd steps suspend and even ones resume, and the key (table, sequence)
    keeps two people who act at once from both building on the same step. The reason is kept with
    the words that it had then.
    """

    class Action(models.TextChoices):
        """What was done."""

        SUSPENDED = "suspended", _("Suspended")
        RESUMED = "resumed", _("Resumed")

    table = models.ForeignKey(
        Table, models.PROTECT, related_name="suspensions", db_index=False, verbose_name=_("table")
    )
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    reason_code = models.CharField(_("reason"), max_length=40, default="")
    """Empty where the table was resumed: the note says why it may be."""
    reason_it = models.CharField(max_length=200, default="")
    reason_en = models.CharField(max_length=200, default="")
    note = models.TextField(_("note"), default="", blank=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("suspension of a table")
        verbose_name_plural = _("suspensions of tables")
        triggers = [*append_only("suspension"), kept("suspension")]
        constraints = [
            models.UniqueConstraint(fields=["table", "sequence"], name="one_suspension_step"),
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1)
                & (
                    models.Q(Exact(Mod("sequence", 2), 1), action="suspended")
                    | models.Q(Exact(Mod("sequence", 2), 0), action="resumed")
                ),
                name="suspended_and_resumed_by_turns",
            ),
            models.CheckConstraint(
                condition=~models.Q(action="suspended") | ~models.Q(reason_code=""),
                name="suspended_for_a_reason",
            ),
            models.CheckConstraint(
                condition=~models.Q(action="resumed") | ~models.Q(note=""),
                name="resumed_with_a_word",
            ),
        ]
        default_permissions = ("view",)
        permissions = [("suspend_table", "Can suspend and resume tables")]

    @property
    def reason(self) -> str:
        """The reason in the active language, in the words that it had then."""
        return self.reason_it if (get_language() or "").startswith("it") else self.reason_en


SUSPENDED: Final = TableSuspension.Action.SUSPENDED
RESUMED: Final = TableSuspension.Action.RESUMED
