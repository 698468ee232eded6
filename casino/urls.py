"""Addresses: the API; the operator's pages; the language switch."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

admin.autodiscover()

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/", include("compliance.exports.api.urls")),
    path("api/v1/", include("payouts.api.urls")),  # after all others: its last takes what is left
    path("admin/", include("casino.doors.urls")),
    path("admin/", include("payouts.pages.urls")),
    path("admin/", include("payouts.api.pages.urls")),
    path("admin/", include("compliance.exports.pages.urls")),
    path("admin/", include("compliance.monitoring.pages.urls")),
    path("admin/", admin.site.urls),
]
