"""Suspensions and resumptions of tables."""

from typing import Any, Final

from django.db import models
from django.db.models.functions import Mod
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from rounds.formatting import is_italian
from rounds.models.table import Table


class TableSuspension(models.Model):
    """A suspension or resumption of a table; the latest that its person signed counts.

    Odd sequences suspend, even ones resume. The key (table, sequence) stops two concurrent actions
    on the same state. The texts of the reason are copied.
    """

    class Action(models.TextChoices):
        """The action."""

        SUSPENDED = "suspended", _("Suspended")
        RESUMED = "resumed", _("Resumed")

    table = models.ForeignKey(
        Table, models.PROTECT, related_name="suspensions", db_index=False, verbose_name=_("table")
    )
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    reason_code = models.CharField(_("reason"), max_length=40, default="")
    """Empty for a resumption, which has a note instead."""
    reason_it = models.CharField(max_length=200, default="")
    reason_en = models.CharField(max_length=200, default="")
    note = models.TextField(_("note"), default="", blank=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("suspension of a table")
        verbose_name_plural = _("suspensions of tables")
        triggers = [*append_only("suspension"), attested_rows("suspension")]
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
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        details: dict[str, Any] = {"sequence": self.sequence, "note": self.note}
        if self.action == self.Action.SUSPENDED:
            texts = {"text_it": self.reason_it, "text_en": self.reason_en}
            details["reason"] = {"code": self.reason_code, **texts}
        return Entry(f"TABLE_{self.action.upper()}", f"table:{self.table.code}", details)

    @property
    def reason(self) -> str:
        """The reason in the active language, as worded at the time."""
        return self.reason_it if is_italian() else self.reason_en


SUSPENDED: Final = TableSuspension.Action.SUSPENDED
RESUMED: Final = TableSuspension.Action.RESUMED
