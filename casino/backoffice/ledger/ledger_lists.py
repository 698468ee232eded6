"""Ledger accounts and audit records, paged by key."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.ledger.transfer_page import transfer_page
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from compliance.trail.action_labels import action_label
from compliance.trail.actor import Actor
from compliance.trail.encoding import leaf_of
from compliance.trail.log.log_status import current_log_status, position_of
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Account
from payouts.settlement.queries import receivables
from rounds.models import Round
from rounds.queries import round_by_reference

_ROUND: Final = "round:"


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts with their balances."""

    list_template = "backoffice/ledger/accounts.html"
    page_template = "backoffice/ledger/account.html"
    related = ("customer",)

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Filtered by kind or customer; receivables only if not zero."""
        rows = super().rows(request)
        kind = request.GET.get("kind")
        if kind == Account.Kind.RECEIVABLE:
            rows = receivables()
        elif kind in Account.Kind.values:
            rows = rows.filter(kind=kind)
        if customer := self.query_text(request, "customer"):
            rows = rows.filter(customer__pseudonym=customer)
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """The kinds to filter by."""
        return {"rows": rows, "kinds": Account.Kind.choices, "query": request.GET}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The account with its labels."""
        owner = (
            row.customer.pseudonym
            if row.customer
            else _("stripe %(number)s") % {"number": row.stripe}
        )
        name = f"{row.get_kind_display()} · {owner}"
        return {"title": name, "name": name, "page": transfer_page([row.pk], request.GET)}


@admin.register(AuditRecord)
class RecordAdmin(ReadOnlyAdmin):
    """Audit records, newest first."""

    list_template = "backoffice/ledger/records.html"
    page_template = "backoffice/ledger/record.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Filtered by subject, using its index."""
        rows = super().rows(request)
        if subject := self.query_text(request, "subject"):
            rows = rows.filter(subject=subject)
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each record with the label of its action."""
        labelled = [(action_label(row.action), row) for row in rows]
        log = current_log_status()
        return {
            "rows": labelled,
            "query": request.GET,
            "log": log,
            "late": log.is_late(timezone.now()),
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Whether the record matches its digest, and its round."""
        name = _("Record %(number)s") % {"number": row.pk}
        leaf = leaf_of(
            at=row.at,
            actor=Actor(row.actor, row.actor_user_id),
            action=row.action,
            subject=row.subject,
            details=row.details,
        )
        return {
            "title": name,
            "name": name,
            "label": action_label(row.action),
            "matches_digest": leaf == bytes(row.leaf),
            "round": _round_of(row.subject),
            "position": position_of(row.pk),
        }


def _round_of(subject: str) -> Round | None:
    if not subject.startswith(_ROUND):
        return None
    return round_by_reference(subject.removeprefix(_ROUND))
