"""Audit records about money and the books."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from compliance.trail.models import AuditRecord
from compliance.trail.reserved_actions import reserved_actions

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


class MoneyRecord(AuditRecord):
    """Only who may post transfers records that money moved, or a day closed without a signature.

    The database role of the web hosts writes audit records and could invent one.
    """

    class Meta:
        proxy = True
        verbose_name = _("audit record")
        verbose_name_plural = _("audit records")
        default_permissions = ()
        triggers = [
            reserved_actions(
                "money_record_by_whoever_posts",
                sorted(MONEY_ACTIONS + BOOK_ACTIONS),
                to_whoever_inserts_into="payouts_transfer",
            ),
        ]
