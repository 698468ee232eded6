"""Closed gaming days, with their final control totals."""

from datetime import datetime
from typing import Any

import pgtrigger
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows
from payouts.reconciliation.models import ReconcileRun

# Rounds are checked by the trigger of ``rounds.models.ClosedDay``.
_left_out_are_empty = pgtrigger.Trigger(
    name="days_left_out_are_empty",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    declare=[("latest", "date")],
    func="""
        SELECT max(day) INTO latest FROM payouts_dayclosing;
        IF EXISTS (SELECT FROM payouts_settlement WHERE booked_on > latest AND booked_on < NEW.day)
           OR EXISTS (SELECT FROM payouts_payover WHERE booked_on > latest AND booked_on < NEW.day)
           OR EXISTS (SELECT FROM payouts_goodwillcredit
                       WHERE booked_on > latest AND booked_on < NEW.day) THEN
            RAISE EXCEPTION 'found day %; needed the day after the last that is closed', NEW.day
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    """,
)


def _of_all(figure: str) -> Cast:
    """A figure of all tables together, from the control totals."""
    return Cast(KT(f"totals__all__{figure}"), models.BigIntegerField())


class DayClosing(models.Model):
    """A closed gaming day (Rome) with its control totals (``control_totals``).

    Written with the ``ClosedDay`` of the same day, which refuses later bookings.
    """

    day = models.DateField(_("day"), primary_key=True)
    closed_at = models.DateTimeField(_("closed"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    run = models.ForeignKey(
        ReconcileRun,
        models.PROTECT,
        related_name="closings",
        verbose_name=_("reconciliation"),
    )
    """The reconciliation without differences on which the closing is based."""
    totals = models.JSONField(_("control totals"))
    held_rounds = models.GeneratedField(
        expression=_of_all("held_rounds"),
        output_field=models.BigIntegerField(_("held rounds")),
        db_persist=True,
    )
    """Rounds of any day that were held when the day ended; generated from the totals."""
    held_cents = models.GeneratedField(
        expression=_of_all("held_cents"),
        output_field=models.BigIntegerField(_("held stakes")),
        db_persist=True,
    )
    digest = models.BinaryField(max_length=32)
    """SHA-256 over the canonical JSON of the totals; also in the audit record of the closing."""

    class Meta:
        verbose_name = _("closed day")
        verbose_name_plural = _("closed days")
        triggers = [
            *append_only("day_closing"),
            attested_rows("day_closing", key="day"),
            _left_out_are_empty,
        ]
        default_permissions = ("view",)
        permissions = [("close_day", "Can close a gaming day")]

    def __str__(self) -> str:
        return self.day.isoformat()

    @property
    def at(self) -> datetime:
        """When it was closed."""
        return self.closed_at

    @property
    def entry(self) -> Entry:
        """The audit record of a closing on the page, whose text its actor signs."""
        return Entry("DAY_CLOSED_BY_SIGNATURE", f"day:{self.day}", self.said(acknowledged=True))

    def said(self, *, acknowledged: bool) -> dict[str, Any]:
        """What is recorded. ``acknowledged``: whether a person acknowledged the held rounds."""
        of_all = self.totals.get("all", {})  # rows that somebody forged may lack it
        return {
            "totals": self.totals,
            "digest": bytes(self.digest).hex(),
            "reconciliation": self.run_id,
            "held_rounds": of_all.get("held_rounds"),
            "held_cents": of_all.get("held_cents"),
            "acknowledged": acknowledged,
        }
