"""The managed list of reasons for decisions."""

from typing import Any

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from rounds.formatting import is_italian


class Reason(models.Model):
    """A version of a reason, in the words that customers and regulator read.

    The compliance officer manages the list: a change is a further version, and reasons are retired,
    never deleted. The latest version that its person signed is in force
    (``payouts.cases.reasons_in_force``). Decisions refer to their version and store its text.
    """

    class Purpose(models.TextChoices):
        """The decisions that may cite the reason."""

        MALFUNCTION = "malfunction", _("Malfunction")
        CORRECTION = "correction", _("Correction")
        RELEASE = "release", _("Release")
        REFUND = "refund", _("Refund")
        GOODWILL = "goodwill", _("Goodwill credit")
        SUSPENSION = "suspension", _("Suspension of a table")

    code = models.SlugField(_("code"), max_length=40)
    version = models.IntegerField(default=1, editable=False)
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", db_index=False, editable=False
    )
    """The version that was in force before, if any."""
    purpose = models.CharField(_("reason for"), max_length=16, choices=Purpose.choices)
    text_it = models.CharField(_("in Italian"), max_length=200)
    text_en = models.CharField(_("in English"), max_length=200)
    needs_regulator = models.BooleanField(_("the regulator must decide first"), default=False)
    is_active = models.BooleanField(_("in use"), default=True)
    at = models.DateTimeField(_("when"), editable=False)
    actor = models.CharField(_("who"), max_length=200, default="", editable=False)
    actor_user_id = models.BigIntegerField(null=True, editable=False)
    """The person's account; null for what migrations wrote: the database refuses any other."""

    class Meta:
        verbose_name = _("reason")
        verbose_name_plural = _("reasons")
        ordering = ["purpose", "code", "version"]
        triggers = [
            *append_only("reason"),
            attested_rows("reason"),
            pgtrigger.Trigger(
                name="reason_of_a_person",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__actor_user_id__isnull=True),
                func="""
                    RAISE EXCEPTION 'reason %: found no person who states it', NEW.code
                        USING ERRCODE = 'check_violation';
                """,
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["code", "version"], name="one_version_of_a_reason"),
        ]
        default_permissions = ("view",)
        permissions = [("manage_reasons", "Can add and change reasons")]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The text in the active language."""
        return self.text_it if is_italian() else self.text_en

    @property
    def wording(self) -> dict[str, Any]:
        """What a further version may change."""
        return {
            "text_it": self.text_it,
            "text_en": self.text_en,
            "needs_regulator": self.needs_regulator,
            "is_active": self.is_active,
        }

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: all columns, and what it replaces."""
        details = {"version": self.version, "purpose": self.purpose}
        if self.replaces is None:
            return Entry("REASON_ADDED", f"reason:{self.code}", {**details, **self.wording})
        changed = {"before": self.replaces.wording, "after": self.wording}
        return Entry("REASON_CHANGED", f"reason:{self.code}", {**details, **changed})
