"""Addresses of the monitor."""

from typing import Final

from django.urls import path

from compliance.monitoring.pages import dealt, overview, watch_page
from payouts.pages.own_pages import page

LOOK: Final = "monitoring.view_watch"
"""The permission to see how the tables behave."""

urlpatterns: Final = [
    path("monitor/", page(overview.show_monitor, permission=LOOK), name="monitor"),
    path(
        "monitor/watches/<int:pk>/",
        page(watch_page.show_watch, permission=LOOK),
        name="monitor_watch",
    ),
    path(
        "monitor/dealt/<path:name>/",
        page(dealt.show_dealt, permission=LOOK),
        name="monitor_dealt",
    ),
]
