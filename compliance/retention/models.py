"""Legal holds: what must be retained, by whose order, until another person lifts it."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows


class LegalHold(models.Model):
    """Gaming days that are retained regardless of their age, because of a dispute or an order."""

    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"), null=True)
    """None if the hold has no end."""
    about = models.TextField(_("subject"))
    """Whom or what: a customer's pseudonym, a table, a case."""
    reference = models.CharField(_("reference of the order"), max_length=100)
    placed_at = models.DateTimeField(_("placed"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("legal hold")
        verbose_name_plural = _("legal holds")
        triggers = [*append_only("legal_hold"), attested_rows("legal_hold")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last_day=None) | models.Q(last_day__gte=models.F("first_day")),
                name="legal_hold_ends_after_it_begins",
            ),
        ]
        default_permissions = ("view",)
        permissions = [
            ("place_hold", "Can place legal holds"),
            ("lift_hold", "Can lift legal holds that another placed"),
        ]

    def __str__(self) -> str:
        return f"H-{self.pk:04}"

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: all columns."""
        return Entry("HOLD_PLACED", f"hold:{self}", self.said)

    @property
    def said(self) -> dict[str, str | None]:
        """What both persons sign: which days, what it is about, and by which order."""
        return {
            "first_day": str(self.first_day),
            "last_day": None if self.last_day is None else str(self.last_day),
            "about": self.about,
            "reference": self.reference,
        }


class LegalHoldLift(models.Model):
    """The end of a hold, by another person than the one who placed it (a trigger checks it)."""

    hold = models.OneToOneField(
        LegalHold, models.PROTECT, primary_key=True, related_name="lift", verbose_name=_("hold")
    )
    reason = models.TextField(_("reason"))
    lifted_at = models.DateTimeField(_("lifted"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("lifting of a legal hold")
        verbose_name_plural = _("liftings of legal holds")
        triggers = [
            *append_only("legal_hold_lift"),
            attested_rows("legal_hold_lift", key="hold_id"),
            pgtrigger.Trigger(
                name="legal_hold_lifted_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT FROM payouts_legalhold AS hold
                                WHERE hold.id = NEW.hold_id
                                  AND (hold.actor_user_id = NEW.actor_user_id
                                       OR lower(hold.actor) = lower(NEW.actor))) THEN
                        RAISE EXCEPTION 'hold %: % placed it, another has to lift it',
                            NEW.hold_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: the lifting, and the hold as it is."""
        return Entry("HOLD_LIFTED", f"hold:{self.hold}", {**self.hold.said, "reason": self.reason})
