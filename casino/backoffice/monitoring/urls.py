"""URLs of the monitoring."""

from typing import Final

from django.urls import path

from casino.backoffice.monitoring import overview, table_page, watch_page
from casino.backoffice.site.views import page

LOOK: Final = "monitoring.view_watch"
"""Permission to view the monitoring."""

urlpatterns: Final = [
    path("monitor/", page(overview.show_monitor, permission=LOOK), name="monitor"),
    path(
        "monitor/watches/<int:pk>/",
        page(watch_page.show_watch, permission=LOOK),
        name="monitor_watch",
    ),
    path(
        "monitor/dealt/<path:name>/",
        page(table_page.show_dealt, permission=LOOK),
        name="monitor_dealt",
    ),
]
