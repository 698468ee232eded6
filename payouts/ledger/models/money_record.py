"""Audit records about money and the books."""

from typing import Final

import pgtrigger
from django.utils.translation import gettext_lazy as _

from compliance.trail.models import AuditRecord

MONEY_ACTIONS: Final = (
    "CASE_EXECUTED",
    "GOODWILL_CREDITED",
    "PAID_OVER",
    "ROUND_RESETTLED",
    "ROUND_RULED",
    "ROUND_SETTLED",
    "ROUND_VOIDED",
)
"""The audit actions that are recorded together with transfers."""

BOOK_ACTIONS: Final = ("DAY_CLOSED",)
"""The audit actions of the nightly job. On a page a person signs."""

_LISTED: Final = ", ".join(f"'{action}'" for action in sorted(MONEY_ACTIONS + BOOK_ACTIONS))


class MoneyRecord(AuditRecord):
    """Only who may post transfers records that money moved, or a day closed without a signature.

    The database role of the web hosts writes audit records and could invent one. The trigger fires
    after the row: one before it would have PostgreSQL copy rows one by one.
    """

    class Meta:
        proxy = True
        verbose_name = _("audit record")
        verbose_name_plural = _("audit records")
        default_permissions = ()
        triggers = [
            pgtrigger.Trigger(
                name="money_record_by_whoever_posts",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                condition=pgtrigger.Condition(
                    f"NEW.action IN ({_LISTED})"
                    " AND NOT has_table_privilege('public.payouts_transfer', 'INSERT')"
                ),
                func="""
                    RAISE EXCEPTION '% may not record %', current_user, NEW.action
                        USING ERRCODE = 'insufficient_privilege';
                """,
            ),
        ]
