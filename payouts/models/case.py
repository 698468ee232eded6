"""Cases: decisions on money that one person proposes and another approves.

A case says what happened and why; its rounds never change once it is open. What persons did about
it is a chain of steps beside it, added and never edited: the latest says where it stands. What
workers have executed of an approved case is work, row by row with the settlement that did it.
"""

from typing import Final

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.models.reason import Reason
from rounds.models import Customer, Round, Table
from rounds.models.books import books_are_open

_LETTERS: Final = {
    "malfunction": "M",
    "correction": "C",
    "release": "L",
    "refund": "R",
    "goodwill": "G",
}


class Case(models.Model):
    """One decision on money, from its opening to its end. The words of its reason are kept."""

    class Kind(models.TextChoices):
        """What is decided; also the purpose of its reason."""

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
    needs_regulator = models.BooleanField(_("the regulator decides first"))
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
        triggers = [*append_only("case"), kept("case")]
        default_permissions = ("view",)
        permissions = [
            ("propose_decision", "Can open cases and propose decisions on money"),
            ("approve_decision", "Can approve or reject decisions on money"),
        ]

    def __str__(self) -> str:
        return f"{_LETTERS[self.kind]}-{self.pk:04}"


class CaseRound(models.Model):
    """A round that a case is about; ``number`` is its place in the case, from 1."""

    pk = models.CompositePrimaryKey("case_id", "number")
    case = models.ForeignKey(Case, models.PROTECT, related_name="rounds", db_index=False)
    number = models.IntegerField()
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="+", db_constraint=False, verbose_name=_("round")
    )

    class Meta:
        verbose_name = _("round of a case")
        verbose_name_plural = _("rounds of a case")
        triggers = [*append_only("case_round"), kept("case_round", key="case_id,number")]
        constraints = [
            models.UniqueConstraint(fields=["case", "round"], name="a_case_has_a_round_once"),
        ]
        default_permissions = ()


class CaseEvidence(models.Model):
    """A file that shows what happened, byte for byte as it was handed in."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="evidence")
    name = models.CharField(_("file"), max_length=200)
    content_type = models.CharField(max_length=100)
    size = models.IntegerField(_("bytes"))
    digest = models.BinaryField(max_length=32)
    content = models.BinaryField()
    added_at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        verbose_name = _("evidence")
        verbose_name_plural = _("evidence")
        triggers = [*append_only("evidence"), kept("evidence")]
        default_permissions = ()


class CaseStep(models.Model):
    """One thing that a person did about a case; the key makes it impossible to do two at once.

    A proposal says its ``remedy``, the ``ruling`` where the round is read otherwise, and the effect
    that its author saw: ``effect`` in cents and counts, and a digest over every bet. Whoever
    approves says the same digest. The database refuses an approval or a rejection by the person who
    opened the case or proposed, and one of anything but a proposal that waits for it, by the
    regulator's leave where the case needs that.
    """

    class Action(models.TextChoices):
        """What was done."""

        OPENED = "opened", _("Opened")
        PROPOSED = "proposed", _("Proposed")
        REFERRED = "referred", _("Put before the regulator")
        ALLOWED = "allowed", _("Allowed by the regulator")
        REFUSED = "refused", _("Refused by the regulator")
        APPROVED = "approved", _("Approved")
        REJECTED = "rejected", _("Rejected")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    pk = models.CompositePrimaryKey("case_id", "sequence")
    case = models.ForeignKey(Case, models.PROTECT, related_name="steps", db_index=False)
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("note"), default="")
    remedy = models.CharField(_("remedy"), max_length=16, default="")
    ruling = models.JSONField(null=True)
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, related_name="+")
    cents = models.BigIntegerField(_("amount"), null=True)
    effect = models.JSONField(null=True)
    effect_digest = models.BinaryField(max_length=32, null=True)
    reference = models.CharField(_("the regulator's reference"), max_length=100, default="")
    on_day = models.DateField(_("of the day"), null=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("step of a case")
        verbose_name_plural = _("steps of a case")
        triggers = [
            *append_only("case_step"),
            kept("case_step", key="case_id,sequence"),
            pgtrigger.Trigger(
                name="case_decided_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("latest", "text")],
                condition=pgtrigger.Q(new__action__in=["approved", "rejected"]),
                func="""
                    IF EXISTS (SELECT FROM payouts_casestep AS before
                                WHERE before.case_id = NEW.case_id
                                  AND before.action IN ('opened', 'proposed')
                                  AND (before.actor_user_id = NEW.actor_user_id
                                       OR lower(before.actor) = lower(NEW.actor))) THEN
                        RAISE EXCEPTION 'case %: % opened or proposed it, another has to decide',
                            NEW.case_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    SELECT before.action INTO latest FROM payouts_casestep AS before
                     WHERE before.case_id = NEW.case_id ORDER BY before.sequence DESC LIMIT 1;
                    IF latest NOT IN ('proposed', 'allowed')
                       OR NEW.action = 'approved' AND latest = 'proposed'
                          AND (SELECT needs_regulator FROM payouts_case
                                WHERE id = NEW.case_id) THEN
                        RAISE EXCEPTION 'case %: nothing is proposed that waits for a decision',
                            NEW.case_id USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1), name="case_steps_count_from_one"
            ),
            models.CheckConstraint(
                condition=~models.Q(action__in=["proposed", "approved", "rejected"])
                | ~models.Q(note=""),
                name="case_decided_with_a_note",
            ),
            models.CheckConstraint(
                condition=~models.Q(action__in=["proposed", "approved"])
                | models.Q(effect_digest__isnull=False),
                name="case_decided_on_an_effect",
            ),
        ]
        default_permissions = ()


class CaseRun(models.Model):
    """The execution of an approved case. A state and no fact: how far the workers are."""

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


class CaseWork(models.Model):
    """One round of an execution, or its one credit. Done once, with the money that it moves."""

    class Outcome(models.TextChoices):
        """What became of it."""

        DONE = "done", _("Done")
        NOTHING = "nothing", _("Nothing to do")
        REFUSED = "refused", _("Not done")

    run = models.ForeignKey(CaseRun, models.PROTECT, related_name="works", db_index=False)
    number = models.IntegerField()
    round = models.ForeignKey(
        Round, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )
    after = models.SmallIntegerField()
    """The settlement that the persons decided about, 0 for a held round."""
    outcome = models.CharField(_("outcome"), max_length=16, choices=Outcome.choices, default="")
    sequence = models.SmallIntegerField(_("settlement"), null=True)
    owed_cents = models.BigIntegerField(_("owed"), default=0)
    error = models.TextField(_("last error"), default="")
    attempts = models.IntegerField(_("tries"), default=0)
    due_at = models.DateTimeField(_("next try"))
    done_at = models.DateTimeField(_("done"), null=True)

    class Meta:
        verbose_name = _("work of a case")
        verbose_name_plural = _("work of cases")
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="case_work_counts"),
            models.CheckConstraint(
                condition=models.Q(done_at=None, outcome="")
                | models.Q(models.Q(done_at__isnull=False), ~models.Q(outcome="")),
                name="case_work_done_with_an_outcome",
            ),
        ]
        default_permissions = ()


class GoodwillCredit(models.Model):
    """Money that the house gives a customer outside any round, by a case of two persons.

    ``id`` is a version 7 UUID; the transfer has it as ``origin``. One case gives one credit.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    case = models.OneToOneField(Case, models.PROTECT, related_name="credit")
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="goodwill_credits", verbose_name=_("customer")
    )
    cents = models.BigIntegerField(_("amount"))
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    approved_by = models.CharField(_("approved by"), max_length=200)
    booked_on = models.DateField(_("booked on"))
    """The day whose books it enters: that of ``at`` in Rome, unless it was closed."""

    class Meta:
        verbose_name = _("goodwill credit")
        verbose_name_plural = _("goodwill credits")
        triggers = [*append_only("goodwill"), kept("goodwill"), books_are_open("goodwill")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cents__gt=0) & ~models.Q(approved_by=models.F("actor")),
                name="goodwill_credit_by_two",
            ),
        ]
        indexes = [models.Index(fields=["booked_on"], name="goodwill_by_booking")]
        default_permissions = ("view",)
