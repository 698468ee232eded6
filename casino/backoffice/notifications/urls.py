"""URLs of notifications, for every logged-in user about their own."""

from typing import Final

from django.contrib import admin
from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.notifications import inbox_page, settings_page

_own: Final = admin.site.admin_view

NOTIFICATIONS: Final = [
    path("notifications/", _own(inbox_page.show_inbox), name="inbox"),
    path(
        "notifications/read/",
        require_POST(_own(inbox_page.mark_notifications_read)),
        name="mark_notifications_read",
    ),
    path(
        "notifications/settings/", _own(settings_page.show_settings), name="notification_settings"
    ),
    path(
        "notifications/<int:pk>/",
        require_POST(_own(inbox_page.open_notification)),
        name="open_notification",
    ),
]
