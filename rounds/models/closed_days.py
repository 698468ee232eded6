"""Closed gaming days, and the triggers that protect them.

Rows that are booked have a column ``booked_on``. The SQL function ``rounds_closed_to`` returns the
last closed day and keeps the later days open until the caller's transaction ends;
``rounds_lock_books`` waits for running bookings and blocks new ones.
"""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows


def books_are_open(prefix: str) -> pgtrigger.Trigger:
    """Rejects rows booked on a closed day; runs once per statement."""
    return pgtrigger.Trigger(
        name=f"{prefix}_books_open",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=pgtrigger.Referencing(new="booked_rows"),  # type: ignore[no-untyped-call]
        declare=[("earliest", "date")],
        func="""
            SELECT min(booked_on) INTO earliest FROM booked_rows;
            IF earliest <= rounds_closed_to() THEN
                RAISE EXCEPTION 'the books of % are closed', earliest
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NULL;
        """,
    )


_in_order = pgtrigger.Trigger(
    name="closed_days_in_order",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    declare=[("latest", "date")],
    func="""
        SELECT max(day) INTO latest FROM rounds_closedday;
        IF NEW.day <> latest + 1
           AND (NEW.day < latest + 367
                OR EXISTS (SELECT FROM rounds_round
                            WHERE booked_on > latest AND booked_on < NEW.day)) THEN
            RAISE EXCEPTION 'found day %; needed the day after the last that is closed', NEW.day
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    """,
)


class ClosedDay(models.Model):
    """A gaming day in Rome that is closed for bookings, as is every earlier day.

    Days are closed one after the other. Only a gap of a year or more without bookings may be
    skipped. ``payouts.models.DayClosing`` stores the totals.
    """

    day = models.DateField(_("day"), primary_key=True)

    class Meta:
        verbose_name = _("closed day")
        verbose_name_plural = _("closed days")
        triggers = [*append_only("closed_day"), attested_rows("closed_day", key="day"), _in_order]
        default_permissions = ()
