"""Addresses of the API."""

from typing import Final

from django.urls import URLPattern, path, re_path

from payouts.api import index
from payouts.api.customers.tokens import CustomerTokensView

urlpatterns: Final[list[URLPattern]] = [
    path("", index.IndexView.as_view(), name="api_index"),
    path("schema", index.SchemaView.as_view(), name="api_schema"),
    path("reference", index.show_reference, name="api_reference"),
    path("problems", index.ProblemsView.as_view(), name="api_problems"),
    path("problems/<str:slug>", index.ProblemView.as_view(), name="api_problem"),
    path("customer-tokens", CustomerTokensView.as_view(), name="api_customer_tokens"),
    re_path(r"^.*$", index.NowhereView.as_view()),
]
