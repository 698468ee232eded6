"""Cases: decisions on money that one person proposes and another approves.

A case describes what happened, to which rounds, and why. It never changes. Its steps
(``CaseStep``) give its stage; its execution (``CaseRun``) gives the progress of the workers.
"""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.reason import Reason
from payouts.evidence import Evidence
from rounds.models import Round, Table

LETTERS: Final = {
    "malfunction": "M",
    "correction": "C",
    "release": "L",
    "refund": "R",
    "goodwill": "G",
}
"""The first letter of a case's name, by kind."""


class Case(models.Model):
    """One decision on money. It stores the text of its reason."""

    class Kind(models.TextChoices):
        """The kind of decision; also the purpose of its reason."""

        MALFUNCTION = "malfunction", _("Malfunction")
        CORRECTION = "correction", _("Correction")
        RELEASE = "release", _("Release")
        REFUND = "refund", _("Refund")
        GOODWILL = "goodwill", _("Goodwill credit")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    reason = models.ForeignKey(
        Reason, models.PROTECT, related_name="cases", db_index=False, verbose_name=_("reason")
    )
    reason_it = models.CharField(max_length=200)
    reason_en = models.CharField(max_length=200)
    needs_regulator = models.BooleanField(_("the regulator must decide first"))
    text = models.TextField(_("what happened"))
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, related_name="+", verbose_name=_("table")
    )
    window_from = models.DateTimeField(_("from"), null=True)
    window_to = models.DateTimeField(_("to"), null=True)
    opened_at = models.DateTimeField(_("opened"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        triggers = [*append_only("case"), attested_rows("case")]
        default_permissions = ("view",)
        permissions = [
            ("propose_decision", "Can open cases and propose decisions on money"),
            ("approve_decision", "Can approve or reject decisions on money"),
        ]

    def __str__(self) -> str:
        return f"{LETTERS[self.kind]}-{self.pk:04}"


class CaseRound(models.Model):
    """A round of a case; ``number`` is its position, from 1."""

    pk = models.CompositePrimaryKey("case_id", "number")
    case = models.ForeignKey(Case, models.PROTECT, related_name="rounds", db_index=False)
    number = models.IntegerField()
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="+", db_constraint=False, verbose_name=_("round")
    )

    class Meta:
        verbose_name = _("round of a case")
        verbose_name_plural = _("rounds of a case")
        triggers = [*append_only("case_round"), attested_rows("case_round", key="case_id,number")]
        constraints = [
            models.UniqueConstraint(fields=["case", "round"], name="a_case_has_a_round_once"),
        ]
        default_permissions = ()


class CaseEvidence(Evidence):
    """A file of evidence of a case."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="evidence")

    class Meta:
        verbose_name = _("evidence")
        verbose_name_plural = _("evidence")
        triggers = [*append_only("evidence"), attested_rows("evidence")]
        default_permissions = ()
