"""Addresses of the API."""

from typing import Final

from django.urls import URLPattern, path, re_path

from casino.api import index
from casino.api.customers.history import HistoryDayView, HistoryView
from casino.api.customers.tokens import CustomerTokensView, CustomerTokenView
from casino.api.customers.totals import DayTotalsView
from casino.api.disputes import urls as disputes
from casino.api.events.views import EventProofView, EventsView, EventView
from casino.api.keys.me import MeView
from casino.api.keys.public_keys import KeysView
from casino.api.rounds import detail, jobs
from casino.api.rounds.collection import RoundsView
from casino.api.rounds.verification_file import RoundVerificationFileView
from casino.api.webhooks import urls as webhooks

urlpatterns: Final[list[URLPattern]] = [
    path("", index.IndexView.as_view(schema=None)),  # documented without the trailing slash
    path("schema", index.SchemaView.as_view(), name="api_schema"),
    path("asyncapi", index.AsyncApiView.as_view(), name="api_asyncapi"),
    path("schemas/feed", index.FeedSchemaView.as_view(), name="api_feed_schema"),
    path("reference", index.show_reference, name="api_reference"),
    path("problems", index.ProblemsView.as_view(), name="api_problems"),
    path("problems/<str:slug>", index.ProblemView.as_view(), name="api_problem"),
    path("keys", KeysView.as_view(), name="api_keys"),
    path("me", MeView.as_view(), name="api_me"),
    path("customer-tokens", CustomerTokensView.as_view(), name="api_customer_tokens"),
    path("customer-tokens/<str:token>", CustomerTokenView.as_view(), name="api_customer_token"),
    path("events", EventsView.as_view(), name="api_events"),
    path("events/<uuid:event_id>", EventView.as_view(), name="api_event"),
    path("events/<uuid:event_id>/proof", EventProofView.as_view(), name="api_event_proof"),
    *webhooks.urlpatterns,
    *disputes.urlpatterns,
    path("rounds", RoundsView.as_view(), name="api_rounds"),
    path("jobs", jobs.JobsView.as_view(), name="api_jobs"),
    path("jobs/<uuid:job>", jobs.JobView.as_view(), name="api_job"),
    path("jobs/<uuid:job>/results", jobs.JobResultsView.as_view(), name="api_job_results"),
    path("rounds/<str:round>", detail.RoundView.as_view(), name="api_round"),
    path("rounds/<str:round>/bets", detail.RoundBetsView.as_view(), name="api_bets"),
    path("rounds/<str:round>/timeline", detail.RoundTimelineView.as_view(), name="api_timeline"),
    path("rounds/<str:round>/receipt", detail.RoundReceiptView.as_view(), name="api_receipt"),
    path(
        "rounds/<str:round>/verification-file",
        RoundVerificationFileView.as_view(),
        name="api_verification_file",
    ),
    path("customers/<str:pseudonym>/history", HistoryView.as_view(), name="api_history"),
    path(
        "customers/<str:pseudonym>/history/<str:day>",
        HistoryDayView.as_view(),
        name="api_history_day",
    ),
    path(
        "customers/<str:pseudonym>/history/<str:day>/totals",
        DayTotalsView.as_view(),
        name="api_day_totals",
    ),
    re_path(r"^[\s\S]*$", index.NotFoundView.as_view()),
]
