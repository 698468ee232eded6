"""The appearance of the admin: settings of django-unfold."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

_BASE: Final = {  # the greys of the visual system, light to dark
    "50": "#F9FAFB",
    "100": "#F5F6F8",
    "200": "#E3E7EC",
    "300": "#C9D0D8",
    "400": "#9AA4B1",
    "500": "#616C7A",
    "600": "#465160",
    "700": "#343D49",
    "800": "#262E38",
    "900": "#161B22",
    "950": "#0E1217",
}
_PRIMARY: Final = {
    "50": "#EAF0FD",
    "100": "#DCE6FC",
    "200": "#BDD0F9",
    "300": "#A3BCFF",
    "400": "#86A8FF",
    "500": "#86A8FF",
    "600": "#2A55C9",
    "700": "#2348AE",
    "800": "#1D3C92",
    "900": "#183176",
    "950": "#101F4B",
}


def _may_view(permission: str) -> Callable[[HttpRequest], bool]:
    return lambda request: request.user.has_perm(permission)


def _shows_rounds(request: HttpRequest) -> bool:
    return request.path.startswith(reverse("admin:rounds_round_changelist"))


def _shows_held_rounds(request: HttpRequest) -> bool:
    return _shows_rounds(request) and request.GET.get("status") == "held"


def _shows_all_rounds(request: HttpRequest) -> bool:
    return _shows_rounds(request) and not _shows_held_rounds(request)


def _page(
    title: Any,
    icon: str,
    model: str,
    *,
    query: str = "",
    counts: str = "",
    **options: Callable[[HttpRequest], bool],
) -> dict[str, Any]:
    app, name = model.split(".")
    return {
        "title": title,
        "icon": icon,
        "link": format_lazy("{}{}", reverse_lazy(f"admin:{app}_{name}_changelist"), query),
        "permission": _may_view(f"{app}.view_{name}"),
        "counts": counts,
        **options,
    }


def _shows_people(request: HttpRequest) -> bool:
    """The list, a new account or a person; not the pages below that have entries of their own."""
    match = request.resolver_match
    return match is not None and match.url_name in {"people", "add_person", "person"}


def _own_page(
    title: Any,
    icon: str,
    name: str,
    permission: str = "rounds.view_round",
    counts: str = "",
    **options: Callable[[HttpRequest], bool],
) -> dict[str, Any]:
    address = reverse_lazy(name)
    return {
        "title": title,
        "icon": icon,
        "link": address,
        "permission": _may_view(permission),
        "active": lambda request: request.path.startswith(str(address)),
        "counts": counts,
        **options,
    }


UNFOLD: Final[dict[str, Any]] = {
    "SITE_TITLE": "Sabot",
    "SITE_HEADER": "Sabot",
    "SITE_URL": None,
    "LOGIN": {"form": "casino.backoffice.security.login_form.LoginForm"},
    "DASHBOARD_CALLBACK": "casino.backoffice.today.today_page.today_context",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("sabot/sabot.svg")}
    ],
    "ACCOUNT": {
        "navigation": [
            {"title": _("Security"), "link": reverse_lazy("security")},
            {"title": _("Notification settings"), "link": reverse_lazy("notification_settings")},
            {"title": _("Change password"), "link": reverse_lazy("admin:password_change")},
        ]
    },
    "SHOW_LANGUAGES": True,
    "SHOW_HISTORY": False,
    "BORDER_RADIUS": "8px",
    "COLORS": {"base": _BASE, "primary": _PRIMARY},
    "STYLES": [
        lambda _request: static("sabot/css/tokens.css"),
        lambda _request: static("sabot/css/shell.css"),
        lambda _request: static("sabot/css/pages.css"),
        lambda _request: static("sabot/css/managing.css"),
        lambda _request: static("sabot/css/cases.css"),
        lambda _request: static("sabot/css/correction.css"),
        lambda _request: static("sabot/css/disputes.css"),
        lambda _request: static("sabot/css/rules.css"),
        lambda _request: static("sabot/css/exports.css"),
        lambda _request: static("sabot/css/monitor.css"),
        lambda _request: static("sabot/css/table-layout.css"),
        lambda _request: static("sabot/css/lists.css"),
        lambda _request: static("sabot/css/narrow-tables.css"),
        lambda _request: static("sabot/css/live.css"),
        lambda _request: static("sabot/css/comments.css"),
        lambda _request: static("sabot/css/print.css"),
    ],
    "SCRIPTS": [
        lambda _request: static("sabot/js/keys.js"),
        lambda _request: static("sabot/js/search.js"),
        lambda _request: static("sabot/js/form-content.js"),
        lambda _request: static("sabot/js/drafts.js"),
        lambda _request: static("sabot/js/mentions.js"),
        lambda _request: static("sabot/js/file-digest.js"),
        lambda _request: static("sabot/js/chosen-files.js"),
        lambda _request: static("sabot/js/table-layout.js"),
        lambda _request: static("sabot/js/narrow-tables.js"),
        lambda _request: static("sabot/js/jobs.js"),
        lambda _request: static("sabot/js/refresh.js"),
        lambda _request: static("sabot/js/live.js"),
        lambda _request: static("sabot/js/base64url.js"),
        lambda _request: static("sabot/js/browser-keys.js"),
        lambda _request: static("sabot/js/passkeys.js"),
        lambda _request: static("sabot/js/signing.js"),
        lambda _request: static("sabot/js/upload.js"),
        lambda _request: static("sabot/js/copy.js"),
    ],
    "SIDEBAR": {
        "navigation": [
            {
                "items": [
                    {"title": _("Today"), "icon": "home", "link": reverse_lazy("admin:index")},
                    _own_page(_("Board"), "bar_chart", "board", "payouts.view_dayclosing"),
                    _own_page(
                        _("Exceptions queue"),
                        "assignment_late",
                        "stuck_work",
                        "payouts.view_stuckworkstep",
                        counts="exception",
                    ),
                    _own_page(_("Comments"), "edit_square", "comments", "payouts.view_comment"),
                ]
            },
            {
                "title": _("Tables"),
                "items": [
                    _page(_("Rounds"), "playing_cards", "rounds.round", active=_shows_all_rounds),
                    _page(
                        _("Held rounds"),
                        "pause_circle",
                        "rounds.round",
                        query="?status=held",
                        counts="round",
                        active=_shows_held_rounds,
                    ),
                    _page(_("Awaiting settlement"), "schedule", "rounds.queuedround"),
                    _page(_("Tables and limits"), "tune", "rounds.table"),
                ],
            },
            {
                "title": _("Feed"),
                "items": [
                    _page(_("Uploads"), "upload_file", "payouts.feedupload"),
                    _own_page(
                        _("Studio keys"), "signature", "studio_keys", "rounds.view_studiokey"
                    ),
                    _page(_("Quarantine"), "report", "rounds.quarantineddocument"),
                    _page(_("Conflicts"), "content_copy", "rounds.conflictingdocument"),
                ],
            },
            {
                "title": _("Money"),
                "items": [
                    _own_page(_("Cases"), "gavel", "cases", "payouts.view_case", counts="case"),
                    _own_page(
                        _("Disputes"),
                        "contact_support",
                        "disputes",
                        "payouts.view_dispute",
                        counts="dispute",
                    ),
                    _own_page(
                        _("Replay links"), "open_in_new", "replay_links", "exports.view_replaylink"
                    ),
                    _page(_("Customers"), "badge", "rounds.customer"),
                    _page(_("Ledger accounts"), "account_balance", "payouts.account"),
                    _page(_("Reconciliation"), "balance", "payouts.reconcilerun"),
                    _own_page(
                        _("Days"),
                        "event_available",
                        "days",
                        "payouts.view_dayclosing",
                        counts="day",
                    ),
                ],
            },
            {
                "title": _("Compliance"),
                "items": [
                    _own_page(_("ADM/AAMS exports"), "outbox", "exports", "exports.view_bundle"),
                    _own_page(_("Tax rates"), "percent", "tax_rates", "exports.view_taxrate"),
                    _own_page(_("Monitoring"), "monitoring", "monitor", "monitoring.view_watch"),
                    _own_page(
                        _("Dealers"), "playing_cards", "dealers", "monitoring.view_dealingerror"
                    ),
                    _page(_("Audit records"), "fact_check", "trail.auditrecord"),
                    _own_page(_("Rule interpretations"), "menu_book", "readings"),
                    _own_page(_("Rule sets"), "rule", "rule_sets"),
                    _own_page(_("Multiplier weights"), "weight", "weights"),
                    _page(_("Reasons"), "list_alt", "payouts.reason"),
                    _own_page(_("Legal holds"), "lock_clock", "holds", "payouts.view_legalhold"),
                ],
            },
            {
                "title": _("System"),
                "items": [
                    _own_page(
                        _("Users and roles"),
                        "group",
                        "people",
                        "auth.view_user",
                        active=_shows_people,
                    ),
                    _own_page(
                        _("Access requests"),
                        "how_to_reg",
                        "access_requests",
                        "casino.view_accessrequest",
                    ),
                    _own_page(
                        _("Signing keys"), "draw", "signing_keys", "signatures.view_signingkey"
                    ),
                    _own_page(_("Log keys"), "link", "log_keys", "signatures.view_signingkey"),
                    _own_page(_("Sessions"), "devices", "sessions", "casino.view_opensession"),
                    _own_page(_("API keys"), "key", "api_keys", "api.view_apikey"),
                    _own_page(_("Webhooks"), "webhook", "webhooks", "api.view_apikey"),
                ],
            },
        ]
    },
}
