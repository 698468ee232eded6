"""Addresses of the API."""

from typing import Final

from django.urls import URLPattern, path, re_path

from payouts.api import index
from payouts.api.customers.tokens import CustomerTokensView
from payouts.api.events.views import EventProofView, EventsView, EventView
from payouts.api.webhooks import urls as webhooks

urlpatterns: Final[list[URLPattern]] = [
    path("", index.IndexView.as_view(), name="api_index"),
    path("schema", index.SchemaView.as_view(), name="api_schema"),
    path("reference", index.show_reference, name="api_reference"),
    path("problems", index.ProblemsView.as_view(), name="api_problems"),
    path("problems/<str:slug>", index.ProblemView.as_view(), name="api_problem"),
    path("customer-tokens", CustomerTokensView.as_view(), name="api_customer_tokens"),
    path("events", EventsView.as_view(), name="api_events"),
    path("events/<uuid:event_id>", EventView.as_view(), name="api_event"),
    path("events/<uuid:event_id>/proof", EventProofView.as_view(), name="api_event_proof"),
    *webhooks.urlpatterns,
    re_path(r"^.*$", index.NowhereView.as_view()),
]
