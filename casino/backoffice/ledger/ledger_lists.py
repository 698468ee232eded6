"""Ledger accounts and audit records, paged by key."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.ledger.transfer_page import transfer_page
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    field_filter,
    person_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from compliance.trail.action_labels import action_choices, action_label
from compliance.trail.actor import Actor
from compliance.trail.encoding import leaf_of
from compliance.trail.log.log_status import current_log_status, position_of
from compliance.trail.models import AuditRecord
from compliance.trail.queries import records_before, records_since
from payouts.ledger.models import Account
from payouts.settlement.queries import receivables
from rounds.models import Round
from rounds.queries import round_by_reference

_ROUND: Final = "round:"


def _of_kind(rows: QuerySet[Any], kind: str) -> QuerySet[Any]:
    """The accounts of a kind; receivables only if not zero."""
    return receivables(rows) if kind == Account.Kind.RECEIVABLE else rows.filter(kind=kind)


ACCOUNTS: Final = ListSpec(
    name="accounts",
    filters=(
        text_filter(
            "customer",
            gettext_lazy("Customer"),
            lambda rows, value: rows.filter(customer__pseudonym=value),
            placeholder=gettext_lazy("Full pseudonym"),
        ),
        choice_filter("kind", gettext_lazy("Kind"), Account.Kind.choices, _of_kind),
        field_filter("asset", gettext_lazy("Asset"), Account.Asset.choices),
    ),
    columns=(
        Column("account", gettext_lazy("Account"), lambda row: row.pk, sort="pk"),
        Column("customer", gettext_lazy("Customer"), lambda row: row.customer),
        Column("kind", gettext_lazy("Kind"), lambda row: row.get_kind_display()),
        Column("asset", gettext_lazy("Asset"), lambda row: row.get_asset_display()),
        Column(
            "stripe",
            gettext_lazy("Stripe"),
            lambda row: None if row.customer_id else row.stripe,
            Kind.COUNT,
        ),
        Column("balance", gettext_lazy("Balance"), lambda row: row.balance_cents, Kind.MONEY),
    ),
    sort="-account",
)

RECORDS: Final = ListSpec(
    name="audit-records",
    filters=(
        text_filter(
            "subject",
            gettext_lazy("About"),
            lambda rows, value: rows.filter(subject=value),
            placeholder="round:… · shoe:… · feed:… · table:… · user:…",
        ),
        person_filter(),
        field_filter("action", gettext_lazy("Action"), action_choices),
        *time_filters("at", since=records_since, until=records_before),
    ),
    columns=(
        Column("record", gettext_lazy("Record"), lambda line: line[1].pk),
        Column("when", gettext_lazy("When"), lambda line: line[1].at, Kind.MOMENT, "pk"),
        Column("who", gettext_lazy("Who"), lambda line: actor_label(line[1].actor)),
        Column("what", gettext_lazy("What"), lambda line: line[0]),
        Column("about", gettext_lazy("About"), lambda line: line[1].subject),
    ),
    sort="-when",
)


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts with their balances."""

    spec = ACCOUNTS
    list_template = "backoffice/ledger/accounts.html"
    page_template = "backoffice/ledger/account.html"
    related = ("customer",)

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

    spec = RECORDS
    list_template = "backoffice/ledger/records.html"
    page_template = "backoffice/ledger/record.html"

    def lines(self, rows: list[Any]) -> list[tuple[str, AuditRecord]]:
        """Each record with the label of its action."""
        return [(action_label(row.action), row) for row in rows]

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """The state of the signed log."""
        log = current_log_status()
        return {"log": log, "late": log.is_late(timezone.now())}

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
