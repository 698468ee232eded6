"""Gaming days whose books are closed, and the database's own guard of them.

Whatever changes the books of a day says which in a column ``booked_on``. The function
``rounds_closed_to`` gives the last day that is closed and has the caller's transaction keep the
others open; ``rounds_lock_books`` waits until nobody books, and has everybody else wait.
"""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept


def books_are_open(prefix: str) -> pgtrigger.Trigger:
    """Refuses rows that would be booked on a closed day; asked once a statement."""
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
    func="""
        IF NEW.day <> (SELECT max(day) + 1 FROM rounds_closedday) THEN
            RAISE EXCEPTION 'found day %; needed the day after the last that is closed', NEW.day
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    """,
)


class ClosedDay(models.Model):
    """A day of play in Rome on which nothing is booked any more, nor on any day before it.

    What it came to is kept by whoever closes it (``payouts.models.DayClosing``).
    """

    day = models.DateField(_("day"), primary_key=True)

    class Meta:
        verbose_name = _("closed day")
        verbose_name_plural = _("closed days")
        triggers = [*append_only("closed_day"), kept("closed_day", key="day"), _in_order]
        default_permissions = ()
