"""The steps of a case. The latest gives its stage."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.case import Case
from rounds.models import Customer
from rounds.rules.money import format_cents


class CaseStep(models.Model):
    """One action of a person on a case. The key prevents two at once.

    A proposal has a ``remedy``, a ``ruling`` if facts are read differently, and the effect that its
    author saw: ``effect`` in cents and counts, ``effect_digest`` over every bet. An approval has
    the same digest. The database refuses an approval or rejection by the person who opened the case
    or proposed, or without a pending proposal that the regulator has allowed where required.
    """

    class Action(models.TextChoices):
        """The action taken."""

        OPENED = "opened", _("Opened")
        PROPOSED = "proposed", _("Proposed")
        REFERRED = "referred", _("Referred to the regulator")
        ALLOWED = "allowed", _("Permitted by the regulator")
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
    on_day = models.DateField(_("date"), null=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("step of a case")
        verbose_name_plural = _("steps of a case")
        triggers = [
            *append_only("case_step"),
            attested_rows("case_step", key="case_id,sequence"),
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
            pgtrigger.Trigger(
                name="case_approved_by_no_uploader",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__action="approved"),
                func="""
                    IF EXISTS (SELECT FROM payouts_caseround AS about
                                 JOIN rounds_round AS round ON round.id = about.round_id
                                 JOIN payouts_feedupload AS upload
                                   ON upload.source = round.source AND upload.delivery IS NULL
                                WHERE about.case_id = NEW.case_id
                                  AND 'unsigned-source' = ANY(round.arrival_anomalies)
                                  AND (upload.actor_user_id = NEW.actor_user_id
                                       OR lower(upload.actor) = lower(NEW.actor))) THEN
                        RAISE EXCEPTION 'case %: % uploaded a round of it, another has to approve',
                            NEW.case_id, NEW.actor USING ERRCODE = 'check_violation';
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

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: all columns."""
        effect_digest = None if self.effect_digest is None else bytes(self.effect_digest).hex()
        said = {
            "remedy": self.remedy,
            "ruling": self.ruling,
            "customer": None if self.customer is None else self.customer.pseudonym,
            "amount": None if self.cents is None else format_cents(self.cents),
            "effect": self.effect,
            "effect_digest": effect_digest,
            "reference": self.reference,
            "day": None if self.on_day is None else self.on_day.isoformat(),
        }
        given = {name: value for name, value in said.items() if value}
        details = {"kind": self.case.kind, "step": self.sequence, "note": self.note, **given}
        return Entry(f"CASE_{self.action.upper()}", f"case:{self.case}", details)
