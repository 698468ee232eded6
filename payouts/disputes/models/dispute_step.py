"""The steps, remedies, reminders and terms of disputes.

The latest step gives the state. The database refuses steps out of order, and decisions by a person
who was involved.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.case import Case
from payouts.disputes.models.dispute import Dispute
from rounds.models import Customer
from rounds.rules.money import format_cents

DECISIONS: Final = ("upheld", "partly_upheld", "rejected")
"""The actions that decide a dispute. They are signed."""
_IN_REVIEW: Final = ("taken", "asked", *DECISIONS)

FOLLOWS: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("opened",),
    "opened": ("taken",),
    "taken": _IN_REVIEW,
    "asked": ("answered", *DECISIONS),
    "answered": _IN_REVIEW,
    "upheld": ("closed", "remedy_failed"),
    "partly_upheld": ("closed", "remedy_failed"),
    "remedy_failed": _IN_REVIEW,
    "rejected": ("closed", "escalated", "reopened"),
    "closed": ("escalated", "reopened"),
    "escalated": ("confirmed", "overturned"),
    "confirmed": ("reopened",),
    "overturned": _IN_REVIEW,
    "reopened": _IN_REVIEW,
}
"""The actions allowed after each action; the first is ``opened``. A trigger enforces it."""

_PAIRS: Final = ", ".join(
    f"'{before}>{after}'" for before, allowed in FOLLOWS.items() for after in allowed
)


class DisputeStep(models.Model):
    """One action on a dispute. The key prevents two at once.

    ``note`` is a question to the customer, an answer, or the reasons of a decision. ``citations``
    are the headings of the sheet that a decision cites. ``due_at`` is the due date of the next
    step, by the terms then in force; a reminder follows from ``remind_at`` on.
    """

    class Action(models.TextChoices):
        """The action taken."""

        OPENED = "opened", pgettext_lazy("dispute", "Opened")
        TAKEN = "taken", _("Review started")
        QUESTION_SENT = "asked", _("Question to the customer")
        ANSWERED = "answered", _("Customer's answer")
        UPHELD = "upheld", pgettext_lazy("dispute", "Upheld")
        PARTLY_UPHELD = "partly_upheld", pgettext_lazy("dispute", "Partly upheld")
        REJECTED = "rejected", pgettext_lazy("dispute", "Rejected")
        REMEDY_FAILED = "remedy_failed", _("The remedy failed")
        CLOSED = "closed", pgettext_lazy("dispute", "Closed")
        ESCALATED = "escalated", _("Escalated to the external body")
        CONFIRMED = "confirmed", _("Confirmed by the external body")
        OVERTURNED = "overturned", _("Overturned by the external body")
        REOPENED = "reopened", _("Reopened")

    pk = models.CompositePrimaryKey("dispute_id", "sequence")
    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="steps", db_index=False)
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("text"), default="")
    citations = models.JSONField(default=list)
    reference = models.CharField(_("reference of the letter"), max_length=100, default="")
    on_day = models.DateField(_("date"), null=True)
    remind_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(_("due"), null=True)
    remedy = models.CharField(_("remedy"), max_length=16, default="")
    """How an upheld dispute is remedied (``payouts.disputes.remedies.Way``)."""
    accepted_loss_cents = models.BigIntegerField(null=True)
    """The customer's loss by the remedy, as the deciding person accepted it."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("step of a dispute")
        verbose_name_plural = _("steps of a dispute")
        triggers = [
            *append_only("dispute_step"),
            attested_rows("dispute_step", key="dispute_id,sequence"),
            pgtrigger.Trigger(
                name="dispute_steps_in_order",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("latest", "record")],
                func=f"""
                    SELECT max(before.sequence) AS sequence,
                           coalesce((array_agg(before.action ORDER BY before.sequence DESC))[1], '')
                           AS action
                      INTO latest FROM payouts_disputestep AS before
                     WHERE before.dispute_id = NEW.dispute_id;
                    IF NEW.sequence <> coalesce(latest.sequence, 0) + 1
                       OR latest.action || '>' || NEW.action <> ALL (ARRAY[{_PAIRS}]) THEN
                        RAISE EXCEPTION 'dispute %: % does not follow %', NEW.dispute_id,
                            NEW.action, latest.action USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.action = 'closed' AND latest.action <> 'rejected'
                       AND NOT EXISTS (
                           SELECT FROM payouts_disputeremedy AS remedy
                             JOIN payouts_caserun AS run ON run.case_id = remedy.case_id
                            WHERE remedy.dispute_id = NEW.dispute_id
                              AND remedy.sequence = latest.sequence
                              AND remedy.is_own AND run.finished_at IS NOT NULL) THEN
                        RAISE EXCEPTION 'dispute %: its remedy was not executed', NEW.dispute_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="dispute_decided_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__action__in=DECISIONS),
                func="""
                    IF NEW.actor_user_id IS NULL
                       OR EXISTS (SELECT FROM payouts_dispute AS dispute
                                   WHERE dispute.id = NEW.dispute_id
                                     AND (dispute.actor_user_id = NEW.actor_user_id
                                          OR lower(dispute.actor) = lower(NEW.actor)))
                       OR EXISTS (
                          SELECT FROM payouts_dispute AS dispute
                            JOIN payouts_caseround AS about ON about.round_id = dispute.round_id
                            JOIN payouts_casestep AS done ON done.case_id = about.case_id
                           WHERE dispute.id = NEW.dispute_id
                             AND (done.actor_user_id = NEW.actor_user_id
                                  OR lower(done.actor) = lower(NEW.actor))
                             AND (done.action = 'approved'
                                  OR done.action IN ('opened', 'proposed')
                                     AND NOT EXISTS (
                                         SELECT FROM payouts_disputeremedy AS remedy
                                          WHERE remedy.dispute_id = dispute.id
                                            AND remedy.case_id = done.case_id
                                            AND remedy.was_opened))) THEN
                        RAISE EXCEPTION
                            'dispute %: % had a hand in it, another has to decide',
                            NEW.dispute_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(action__in=("asked", "answered", *DECISIONS, "reopened"))
                | ~models.Q(note=""),
                name="dispute_steps_say_why",
            ),
            models.CheckConstraint(
                condition=~models.Q(action__in=("escalated", "confirmed", "overturned"))
                | ~models.Q(reference="") & models.Q(on_day__isnull=False),
                name="outside_body_by_letter",
            ),
            models.UniqueConstraint(
                fields=["dispute"],
                name="dispute_reopened_once",
                condition=models.Q(action="reopened"),
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="dispute_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(fields=["at", "dispute"], name="dispute_step_by_time"),
        ]
        default_permissions = ()

    @property
    def is_decision(self) -> bool:
        """Whether it decides the dispute, and is signed."""
        return self.action in DECISIONS

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text the person who decides signs: all columns."""
        cents = self.accepted_loss_cents
        said = {
            "citations": self.citations,
            "remedy": self.remedy,
            "accepted_loss": None if cents is None else format_cents(cents),
            "reference": self.reference,
            "day": None if self.on_day is None else self.on_day.isoformat(),
        }
        details = {
            "round": self.dispute.round.reference,
            "customer": self.dispute.customer.pseudonym,
            "step": self.sequence,
            "note": self.note,
            "due": None if self.due_at is None else self.due_at.isoformat(),
            **{name: value for name, value in said.items() if value},
        }
        return Entry(f"DISPUTE_{self.action.upper()}", f"dispute:{self.dispute}", details)


class DisputeRemedy(models.Model):
    """A case that carries out a decision, for the complainant or another customer.

    ``sequence`` is the decision's step. ``was_opened`` is false for a case that existed before.
    """

    pk = models.CompositePrimaryKey("dispute_id", "sequence", "case_id")
    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="remedies", db_index=False)
    case = models.ForeignKey(Case, models.PROTECT, related_name="disputes")
    sequence = models.IntegerField()
    customer = models.ForeignKey(Customer, models.PROTECT, related_name="+")
    is_own = models.BooleanField()
    was_opened = models.BooleanField()

    class Meta:
        verbose_name = _("remedy of a dispute")
        verbose_name_plural = _("remedies of disputes")
        triggers = [
            *append_only("dispute_remedy"),
            attested_rows("dispute_remedy", key="dispute_id,sequence,case_id"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["dispute", "sequence"],
                name="dispute_has_one_own_remedy",
                condition=models.Q(is_own=True),
            ),
        ]
        default_permissions = ()


class DisputeReminder(models.Model):
    """A reminder of a step's due date, one per step."""

    pk = models.CompositePrimaryKey("dispute_id", "sequence")
    dispute = models.ForeignKey(Dispute, models.PROTECT, related_name="reminders", db_index=False)
    sequence = models.IntegerField()
    due_at = models.DateTimeField(_("due"))
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("reminder of a dispute")
        verbose_name_plural = _("reminders of disputes")
        triggers = [
            *append_only("dispute_reminder"),
            attested_rows("dispute_reminder", key="dispute_id,sequence"),
        ]
        default_permissions = ()


class DisputeTerm(models.Model):
    """The term of a state, and who set it. The latest of a state that is signed is in force."""

    state = models.CharField(_("state"), max_length=16)
    days = models.IntegerField(_("days"))
    are_working_days = models.BooleanField(_("working days"))
    set_at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("deadline for disputes")
        verbose_name_plural = _("deadlines for disputes")
        triggers = [*append_only("dispute_term"), attested_rows("dispute_term")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(days__gte=1, days__lte=365), name="dispute_term_in_range"
            ),
        ]
        default_permissions = ()
        permissions = [("set_dispute_term", "Can set deadlines for disputes")]

    @property
    def at(self) -> datetime:
        """When it was set."""
        return self.set_at

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        details = {"days": self.days, "working_days": self.are_working_days}
        return Entry("DISPUTE_TERM_SET", f"dispute term:{self.state}", details)
