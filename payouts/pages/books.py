"""Ledger accounts and the audit trail, read by key."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.actor import Actor
from compliance.trail.encoding import leaf_of
from compliance.trail.models import AuditRecord
from compliance.trail.state import log_state, place_of
from payouts.models import Account
from payouts.pages.fact_admin import FactAdmin
from payouts.pages.words import action_words
from payouts.queries import last_transfers, receivables
from rounds.models import Round
from rounds.queries import round_named

_LAST_TRANSFERS: Final = 50
_ROUND: Final = "round:"


@admin.register(Account)
class AccountAdmin(FactAdmin):
    """Accounts with their balances."""

    list_template = "pages/accounts.html"
    page_template = "pages/account.html"
    related = ("customer",)

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Of one kind or one customer; of what customers owe, only where they do owe."""
        rows = super().rows(request)
        kind = request.GET.get("kind")
        if kind == Account.Kind.RECEIVABLE:
            rows = receivables()
        elif kind in Account.Kind.values:
            rows = rows.filter(kind=kind)
        if customer := self.asked(request, "customer"):
            rows = rows.filter(customer__pseudonym=customer)
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """The kinds to filter by."""
        return {"rows": rows, "kinds": Account.Kind.choices, "asked": request.GET}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The account in words."""
        owner = (
            row.customer.pseudonym
            if row.customer
            else _("stripe %(number)s") % {"number": row.stripe}
        )
        name = f"{row.get_kind_display()} · {owner}"
        last = last_transfers(row, most=_LAST_TRANSFERS)
        return {"title": name, "name": name, "last": last, "most": _LAST_TRANSFERS}


@admin.register(AuditRecord)
class RecordAdmin(FactAdmin):
    """Who did what to what, newest first."""

    list_template = "pages/records.html"
    page_template = "pages/record.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """About one subject, by the index of subjects."""
        rows = super().rows(request)
        if subject := self.asked(request, "subject"):
            rows = rows.filter(subject=subject)
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each record with its action in words."""
        told = [(action_words(row.action), row) for row in rows]
        log = log_state()
        return {"rows": told, "asked": request.GET, "log": log, "late": log.is_late(timezone.now())}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """Whether the record still fits its digest, and the round that it is about."""
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
            "words": action_words(row.action),
            "fits": leaf == bytes(row.leaf),
            "round": _round_of(row.subject),
            "place": place_of(row.pk),
        }


def _round_of(subject: str) -> Round | None:
    if not subject.startswith(_ROUND):
        return None
    return round_named(subject.removeprefix(_ROUND))
