"""Addresses of every list page and of the pages linked from lists."""

from typing import Final
from urllib.parse import urlencode

from django.contrib.admin.sites import site
from django.contrib.auth.models import Permission
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone

from casino.access.roles import ADMINISTRATOR
from compliance.trail.models import AuditRecord
from payouts.reconciliation.models import ReconcileRun
from rounds.models import Bet, Round
from rounds.search import first_id

VIEWER: Final = "compliance"
"""A role that sees all but users and roles."""
ROUNDS: Final = "admin:rounds_round_changelist"
OWN_LISTS: Final = (
    "api_keys",
    "archive",
    "bundles",
    "cases",
    "comments",
    "days",
    "dealers",
    "dealing_errors",
    "disputes",
    "exports",
    "holds",
    "impact_analyses",
    "inbox",
    "monitor",
    "people",
    "readings",
    "replay_links",
    "rule_sets",
    "sessions",
    "stuck_work",
    "studio_keys",
    "tax_rates",
    "watches",
    "webhooks",
    "weights",
)


def list_pages() -> dict[str, str]:
    """Each page's address by the name under which it is measured; there must be rounds."""
    return {
        "home": reverse("admin:index"),
        **admin_lists(),
        **{name: reverse(name) for name in OWN_LISTS},
        **_searches(),
        **_deep_lists(),
        **single_pages(),
    }


def admin_lists() -> dict[str, str]:
    """The list of every model that a role may view, those of libraries included."""
    names = sorted(
        f"{model._meta.app_label}.{model._meta.model_name}"
        for model in site._registry  # noqa: SLF001  no public way lists the models
        if Permission.objects.filter(
            codename=f"view_{model._meta.model_name}",
            content_type__app_label=model._meta.app_label,
            group__name__in=(VIEWER, ADMINISTRATOR),
        ).exists()
    )
    return {name: reverse(f"admin:{name.replace('.', '_')}_changelist") for name in names}


def person_for(name: str) -> str:
    """Who may see the page of this name: its role, by which its user is called in the demo."""
    return ADMINISTRATOR if name in {"people", "sessions"} else VIEWER


def _middle() -> Round:
    """The round that opened first in the second half of the time there is."""
    first, last = (
        Round.objects.order_by(order).values_list("opened_at", flat=True)[0]
        for order in ("id", "-id")
    )
    middle = first_id(first + (last - first) / 2)
    return Round.objects.select_related("table").filter(id__gte=middle).order_by("id")[0]


def _searches() -> dict[str, str]:
    """Rounds by each code and id that people have; with ``table=`` one match is still a list."""
    dealt = _middle()
    bet = Bet.objects.select_related("customer").filter(round=dealt).order_by("number")[0]
    day = timezone.localtime(dealt.opened_at).date().isoformat()
    table = dealt.table.code
    queries: dict[str, dict[str, str]] = {
        **{f"status_{status}": {"status": status} for status in ("held", "waiting", "void")},
        "status_settled": {"status": "settled"},
        "table": {"table": table},
        "day": {"from": day, "to": day},
        "table_day_settled": {"table": table, "from": day, "to": day, "status": "settled"},
        "void_day": {"status": "void", "from": day, "to": day},
        "reference": {"q": dealt.reference, "table": ""},
        "session": {"q": dealt.session, "table": ""},
        "participation": {"q": bet.participation, "table": ""},
        "pseudonym": {"q": bet.customer.pseudonym, "table": ""},
        "customer_table": {"q": bet.customer.pseudonym, "table": table},
        "code": {"q": dealt.game_code, "table": ""},
        "code_day": {"q": f"{dealt.game_code} {dealt.opened_at:%Y-%m-%d}", "table": ""},
        "nothing": {"q": "nothing", "table": ""},
        "amount": {"amount": "210.00"},
        "amount_common": {"amount": "100.00"},
        "amount_table": {"amount": "210.00", "table": table},
        "amount_day": {"amount": "210.00", "from": day, "to": day},
        "amount_table_day": {"amount": "100.00", "table": table, "from": day, "to": day},
    }
    address = reverse(ROUNDS)
    return {f"rounds.{name}": f"{address}?{urlencode(query)}" for name, query in queries.items()}


def _deep_lists() -> dict[str, str]:
    """Pages of lists far from their first, and lists of what belongs to one thing."""
    dealt, records = _middle(), reverse("admin:trail_auditrecord_changelist")
    bet = Bet.objects.select_related("customer").filter(round=dealt)[0]
    last = AuditRecord.objects.order_by("-pk").values_list("pk", flat=True)[0]
    accounts = reverse("admin:payouts_account_changelist")
    return {
        "board": f"{reverse('board')}?days=30",
        "rounds.deep": f"{reverse(ROUNDS)}?before={dealt.pk}",
        "rounds.deep_back": f"{reverse(ROUNDS)}?after={dealt.pk}",
        "rounds.held_deep": f"{reverse(ROUNDS)}?status=held&before={dealt.pk}",
        "rounds.table_deep": f"{reverse(ROUNDS)}?table={dealt.table.code}&before={dealt.pk}",
        "records.subject": f"{records}?{urlencode({'subject': f'round:{dealt.reference}'})}",
        "records.deep": f"{records}?{urlencode({'before': last})}",
        "accounts.customer": f"{accounts}?{urlencode({'customer': bet.customer.pseudonym})}",
        "accounts.receivable": f"{accounts}?kind=receivable",
        "stuck.documents": f"{reverse('stuck_work')}?kind=document",
    }


def single_pages() -> dict[str, str]:
    """What one opens out of a list."""
    dealt = _middle()
    shoe = Round.objects.exclude(shoe=None).order_by("-id").values_list("shoe", flat=True)[0]
    run = ReconcileRun.objects.order_by("-pk")[0]
    customer = _customer_with_most_bets()
    page = reverse("admin:rounds_customer_change", args=[customer])
    bets = reverse("customer_bets", args=[customer])
    transfers = reverse("customer_transfers", args=[customer])
    return {
        "round": reverse("admin:rounds_round_change", args=[dealt.pk]),
        "shoe": f"{reverse('shoe')}?{urlencode({'id': shoe})}",
        "customer": page,
        "customer.earlier": f"{page}?until={dealt.pk}/0",
        "customer.bets": f"{bets}?before={dealt.pk}/0",
        "customer.transfers": f"{transfers}?before={dealt.pk}/0/0",
        "table": reverse("admin:rounds_table_change", args=[dealt.table_id]),
        "reconciliation": reverse("admin:payouts_reconcilerun_change", args=[run.pk]),
    }


def _customer_with_most_bets() -> int:
    """The customer whose page has most to read."""
    by_customer = Bet.objects.values("customer_id").annotate(bets=Count("number"))
    return int(by_customer.order_by("-bets", "customer_id")[0]["customer_id"])
