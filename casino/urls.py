"""The URLs: the API, the back office, the language switch."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from casino.api.index import IndexView
from casino.backoffice.replay_links.urls import REPLAY

admin.autodiscover()

handler400 = "casino.backoffice.site.error_pages.bad_request"
handler403 = "casino.backoffice.site.error_pages.forbidden"
handler404 = "casino.backoffice.site.error_pages.not_found"
handler500 = "casino.backoffice.site.error_pages.failed"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("i18n/", include("django.conf.urls.i18n")),
    REPLAY,
    path("api/v1", IndexView.as_view(), name="api_index"),
    path("api/v1/", include("casino.api.exports.urls")),
    path("api/v1/", include("casino.api.urls")),  # last: it matches everything
    path("scim/v2/", include("casino.api.scim.urls")),
    path("log/", include("casino.api.log.urls")),
    path("admin/", include("casino.backoffice.security.urls")),
    path("admin/", include("casino.backoffice.urls")),
    path("admin/", include("casino.backoffice.integrations.urls")),
    path("admin/", include("casino.backoffice.exports.urls")),
    path("admin/", include("casino.backoffice.monitoring.urls")),
    path("admin/", admin.site.urls),
]
