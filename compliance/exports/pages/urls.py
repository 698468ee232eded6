"""Addresses of the export centre."""

from collections.abc import Callable
from typing import Final

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from compliance.exports.pages import (
    acting,
    asking,
    bundle_page,
    centre,
    certificates,
    dossiers,
    likelihood,
    reports,
    weights,
)
from compliance.exports.pages.words import ASK, HAND_IN, LOOK, SIGN
from payouts.pages.jobs import add_jobs
from payouts.pages.own_pages import page

add_jobs(centre.exports_under_way, permission=LOOK)

_View = Callable[..., HttpResponseBase]
_BUNDLE: Final = "exports/bundles/<int:number>/"


def _look(address: str, view: _View, *, name: str, permission: str = LOOK) -> URLPattern:
    return path(address, page(view, permission=permission), name=name)


def _deed(address: str, view: _View, *, name: str, permission: str) -> URLPattern:
    return path(address, require_POST(page(view, permission=permission)), name=name)


urlpatterns: Final = [
    _look("exports/", centre.show_centre, name="exports"),
    _look("exports/operator.crt", centre.certificate, name="export_certificate"),
    _look(
        "certificates/<int:pk>.<str:form>",
        certificates.show_certificate_file,
        name="certificate_file",
        permission="rounds.view_round",
    ),
    _deed(
        "certificates/<path:name>/ask/",
        certificates.ask,
        name="ask_certificate",
        permission=SIGN,
    ),
    _look(
        "certificates/<path:name>/",
        certificates.show_certificate,
        name="certificate",
        permission="rounds.view_round",
    ),
    _look(
        "rounds/<uuid:round_id>/bets/<int:number>/likelihood/",
        likelihood.show_likelihood,
        name="likelihood",
        permission="rounds.view_round",
    ),
    _look("weights/", weights.show_weights, name="weights", permission="rounds.view_round"),
    _deed("weights/<int:pk>/approve/", weights.approve, name="approve_weights", permission=SIGN),
    _deed(
        "disputes/<int:dispute_id>/dossier/",
        dossiers.issue,
        name="issue_dossier",
        permission="payouts.open_dispute",
    ),
    _look(
        "dossiers/<int:pk>.<str:form>",
        dossiers.take_away,
        name="dossier_file",
        permission="payouts.view_dispute",
    ),
    _look("exports/new/", asking.ask, name="ask_export", permission=ASK),
    _deed("exports/days/<str:day>/", asking.ask_for_day, name="export_day", permission=ASK),
    _look("exports/runs/<int:run_id>/", asking.show_run, name="export_run"),
    _look("exports/reports/<str:key>/", reports.show_report, name="report"),
    _look("exports/bundles/", centre.show_bundles, name="bundles"),
    _look(_BUNDLE, bundle_page.show_bundle, name="bundle"),
    _look(f"{_BUNDLE}summary.pdf", bundle_page.show_summary, name="bundle_summary"),
    _look(f"{_BUNDLE}download/", bundle_page.download, name="bundle_file"),
    _look(f"{_BUNDLE}registers/<str:register>/", bundle_page.show_rows, name="bundle_rows"),
    _look(f"{_BUNDLE}answers/<int:sequence>/", bundle_page.show_answer, name="bundle_answer"),
    _deed(f"{_BUNDLE}again/", asking.ask_again, name="export_again", permission=ASK),
    _deed(f"{_BUNDLE}sign/", acting.sign, name="sign_bundle", permission=SIGN),
    _deed(f"{_BUNDLE}aside/", acting.set_aside, name="set_bundle_aside", permission=SIGN),
    _deed(f"{_BUNDLE}send/", acting.send, name="send_bundle", permission=HAND_IN),
    _deed(f"{_BUNDLE}answer/", acting.answer, name="answer_bundle", permission=HAND_IN),
]
