"""Addresses of the API."""

from typing import Final

from django.urls import URLPattern, path, re_path

from payouts.api import index
from payouts.api.customers.history import HistoryDayView, HistoryView
from payouts.api.customers.tokens import CustomerTokensView
from payouts.api.disputes import urls as disputes
from payouts.api.events.views import EventProofView, EventsView, EventView
from payouts.api.rounds import jobs, one
from payouts.api.rounds.rounds import RoundsView
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
    *disputes.urlpatterns,
    path("rounds", RoundsView.as_view(), name="api_rounds"),
    path("rounds/jobs/<uuid:job>", jobs.JobView.as_view(), name="api_job"),
    path("rounds/jobs/<uuid:job>/answers", jobs.JobAnswersView.as_view(), name="api_job_answers"),
    path("rounds/<str:round>", one.RoundView.as_view(), name="api_round"),
    path("rounds/<str:round>/bets", one.RoundBetsView.as_view(), name="api_bets"),
    path("rounds/<str:round>/timeline", one.RoundTimelineView.as_view(), name="api_timeline"),
    path("rounds/<str:round>/receipt", one.RoundReceiptView.as_view(), name="api_receipt"),
    path("customers/<str:pseudonym>/history", HistoryView.as_view(), name="api_history"),
    path(
        "customers/<str:pseudonym>/history/<str:day>",
        HistoryDayView.as_view(),
        name="api_history_day",
    ),
    re_path(r"^[\s\S]*$", index.NowhereView.as_view()),
]
