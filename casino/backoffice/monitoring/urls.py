"""URLs of the monitoring."""

from typing import Final

from django.urls import path

from casino.backoffice.monitoring import (
    dealers,
    dealing_errors,
    overview,
    table_page,
    watch_list,
    watch_page,
)
from casino.backoffice.site.views import page

LOOK: Final = "monitoring.view_watch"
"""Permission to view the monitoring."""
LOOK_AT_DEALERS: Final = "monitoring.view_dealingerror"
"""Permission to view errors by dealer."""

urlpatterns: Final = [
    path("monitor/", page(overview.show_monitor, permission=LOOK), name="monitor"),
    path("monitor/watches/", page(watch_list.show_watches, permission=LOOK), name="watches"),
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
    path(
        "dealers/",
        page(dealers.show_dealers, permission=LOOK_AT_DEALERS),
        name="dealers",
    ),
    path(
        "dealers/errors/",
        page(dealing_errors.show_errors, permission=LOOK_AT_DEALERS),
        name="dealing_errors",
    ),
]
