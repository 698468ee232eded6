"""The appearance of the admin: settings of django-unfold."""

from typing import Any, Final

from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

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
        lambda _request: static("sabot/js/shell.js"),
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
        lambda _request: static("sabot/js/session-end.js"),
        lambda _request: static("sabot/js/base64url.js"),
        lambda _request: static("sabot/js/browser-keys.js"),
        lambda _request: static("sabot/js/passkeys.js"),
        lambda _request: static("sabot/js/signing.js"),
        lambda _request: static("sabot/js/upload.js"),
        lambda _request: static("sabot/js/copy.js"),
    ],
}
