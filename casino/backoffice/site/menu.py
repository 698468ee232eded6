"""The menu: its entries, who may view each, and what is counted beside it."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse, reverse_lazy
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

_Test = Callable[[HttpRequest], bool]


class MenuItem(NamedTuple):
    """An entry of the menu."""

    title: Promise
    icon: str
    link: Promise
    may_view: _Test
    is_open: _Test
    """Whether the request is for the entry's page or one below it."""
    counts: str = ""
    """The kind of topic whose number stands beside it (``casino.backoffice.today.waiting``)."""


class ShownItem(NamedTuple):
    """An entry as the page shows it."""

    title: Promise
    icon: str
    link: Promise
    is_open: bool
    counts: str


class MenuGroup(NamedTuple):
    """Entries under a title."""

    title: Promise | None
    items: tuple[MenuItem, ...]

    def shown_to(self, request: HttpRequest) -> list[ShownItem]:
        """The entries that the person may view."""
        return [
            ShownItem(item.title, item.icon, item.link, item.is_open(request), item.counts)
            for item in self.items
            if item.may_view(request)
        ]


def shown_menu(request: HttpRequest) -> list[tuple[Promise | None, list[ShownItem]]]:
    """The titles of the groups with the entries that the person may view."""
    groups = ((group.title, group.shown_to(request)) for group in MENU)
    return [(title, items) for title, items in groups if items]


def _may_view(permission: str) -> _Test:
    return lambda request: request.user.has_perm(permission)


def _begins_with(address: Any) -> _Test:
    return lambda request: request.path.startswith(str(address))


def _shows_held_rounds(request: HttpRequest) -> bool:
    return _shows_rounds(request) and request.GET.get("status") == "held"


def _shows_rounds(request: HttpRequest) -> bool:
    return request.path.startswith(reverse("admin:rounds_round_changelist"))


def _shows_all_rounds(request: HttpRequest) -> bool:
    return _shows_rounds(request) and not _shows_held_rounds(request)


def _shows_people(request: HttpRequest) -> bool:
    """The list, a new account or a person; not the pages below that have entries of their own."""
    match = request.resolver_match
    return match is not None and match.url_name in {"people", "add_person", "person"}


def _list(
    title: Any,
    icon: str,
    model: str,
    *,
    query: str = "",
    counts: str = "",
    is_open: _Test | None = None,
) -> MenuItem:
    """The list of a model."""
    app, name = model.split(".")
    address = reverse_lazy(f"admin:{app}_{name}_changelist")
    return MenuItem(
        title,
        icon,
        format_lazy("{}{}", address, query),
        _may_view(f"{app}.view_{name}"),
        is_open or _begins_with(address),
        counts,
    )


def _page(
    title: Any,
    icon: str,
    name: str,
    permission: str = "rounds.view_round",
    *,
    counts: str = "",
    is_open: _Test | None = None,
) -> MenuItem:
    """A page by the name of its URL."""
    address = reverse_lazy(name)
    test = is_open or _begins_with(address)
    return MenuItem(title, icon, address, _may_view(permission), test, counts)


_TODAY: Final = reverse_lazy("admin:index")
MENU: Final = (
    MenuGroup(
        None,
        (
            MenuItem(
                _("Today"),
                "home",
                _TODAY,
                lambda _request: True,
                lambda request: request.path == str(_TODAY),
            ),
            _page(_("Board"), "bar_chart", "board", "payouts.view_dayclosing"),
            _page(
                _("Exceptions queue"),
                "assignment_late",
                "stuck_work",
                "payouts.view_stuckworkstep",
                counts="exception",
            ),
            _page(_("Comments"), "edit_square", "comments", "payouts.view_comment"),
        ),
    ),
    MenuGroup(
        _("Tables"),
        (
            _list(_("Rounds"), "playing_cards", "rounds.round", is_open=_shows_all_rounds),
            _list(
                _("Held rounds"),
                "pause_circle",
                "rounds.round",
                query="?status=held",
                counts="round",
                is_open=_shows_held_rounds,
            ),
            _list(_("Awaiting settlement"), "schedule", "rounds.queuedround"),
            _list(_("Tables and limits"), "tune", "rounds.table"),
        ),
    ),
    MenuGroup(
        _("Feed"),
        (
            _list(_("Uploads"), "upload_file", "payouts.feedupload"),
            _page(_("Studio keys"), "signature", "studio_keys", "rounds.view_studiokey"),
            _list(_("Quarantine"), "report", "rounds.quarantineddocument"),
            _list(_("Conflicts"), "content_copy", "rounds.conflictingdocument"),
        ),
    ),
    MenuGroup(
        _("Money"),
        (
            _page(_("Cases"), "gavel", "cases", "payouts.view_case", counts="case"),
            _page(
                _("Disputes"),
                "contact_support",
                "disputes",
                "payouts.view_dispute",
                counts="dispute",
            ),
            _page(_("Replay links"), "open_in_new", "replay_links", "exports.view_replaylink"),
            _list(_("Customers"), "badge", "rounds.customer"),
            _list(_("Ledger accounts"), "account_balance", "payouts.account"),
            _list(_("Reconciliation"), "balance", "payouts.reconcilerun"),
            _page(_("Days"), "event_available", "days", "payouts.view_dayclosing", counts="day"),
        ),
    ),
    MenuGroup(
        _("Compliance"),
        (
            _page(_("ADM/AAMS exports"), "outbox", "exports", "exports.view_bundle"),
            _page(_("Tax rates"), "percent", "tax_rates", "exports.view_taxrate"),
            _page(_("Monitoring"), "monitoring", "monitor", "monitoring.view_watch"),
            _page(_("Dealers"), "playing_cards", "dealers", "monitoring.view_dealingerror"),
            _list(_("Audit records"), "fact_check", "trail.auditrecord"),
            _page(_("Rule interpretations"), "menu_book", "readings"),
            _page(_("Rule sets"), "rule", "rule_sets"),
            _page(_("Multiplier weights"), "weight", "weights"),
            _page(
                _("Impact analyses"), "difference", "impact_analyses", "impact.view_impactanalysis"
            ),
            _page(_("Archive"), "inventory_2", "archive", "archive.query_archive"),
            _list(_("Reasons"), "list_alt", "payouts.reason"),
            _page(
                _("Settlement stops"),
                "assignment_late",
                "integrity_stops",
                "payouts.view_integritystop",
            ),
            _page(_("Legal holds"), "lock_clock", "holds", "payouts.view_legalhold"),
        ),
    ),
    MenuGroup(
        _("System"),
        (
            _page(_("Users and roles"), "group", "people", "auth.view_user", is_open=_shows_people),
            _page(
                _("Access requests"), "how_to_reg", "access_requests", "casino.view_accessrequest"
            ),
            _page(_("Signing keys"), "draw", "signing_keys", "signatures.view_signingkey"),
            _page(_("Log keys"), "link", "log_keys", "signatures.view_signingkey"),
            _page(_("Sessions"), "devices", "sessions", "casino.view_opensession"),
            _page(_("API keys"), "key", "api_keys", "api.view_apikey"),
            _page(_("Webhooks"), "webhook", "webhooks", "api.view_apikey"),
        ),
    ),
)
