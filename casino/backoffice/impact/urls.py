"""Addresses of impact analyses."""

from functools import partial
from typing import Final

from django.urls import path

from casino.backoffice.impact.analysis_list import ANALYSE, LOOK, show_analyses
from casino.backoffice.impact.analysis_page import show_analysis, show_customers_file
from casino.backoffice.site.views import page

_view = partial(page, permission=LOOK)

_ANALYSIS: Final = "impact/<int:analysis_id>/"

IMPACT: Final = (
    path("impact/", _view(show_analyses, to_post=ANALYSE), name="impact_analyses"),
    path(_ANALYSIS, _view(show_analysis), name="impact_analysis"),
    path(f"{_ANALYSIS}customers.csv", _view(show_customers_file), name="impact_customers"),
)
