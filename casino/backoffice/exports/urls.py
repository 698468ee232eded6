"""URLs of the export centre."""

from collections.abc import Callable
from typing import Final

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from casino.backoffice.certificates import certificates, likelihood, multiplier_weights
from casino.backoffice.disputes import dossiers
from casino.backoffice.exports import (
    actions,
    bundle_page,
    export_list,
    reports,
    request_export,
    tax_rates,
)
from casino.backoffice.exports.messages import ASK, HAND_IN, LOOK, SIGN
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.views import page

_View = Callable[..., HttpResponseBase]
_BUNDLE: Final = "exports/bundles/<int:number>/"


def _look(
    address: str, view: _View, *, name: str, permission: str = LOOK, to_post: str | None = None
) -> URLPattern:
    return path(address, page(view, permission=permission, to_post=to_post), name=name)


def _post(address: str, view: _View, *, name: str, permission: str) -> URLPattern:
    return path(address, require_POST(page(view, permission=permission)), name=name)


urlpatterns: Final = [
    _look("exports/", export_list.show_centre, name="exports"),
    _look("exports/operator.crt", export_list.certificate, name="export_certificate"),
    _look(
        "certificates/<int:pk>.<str:form>",
        certificates.show_certificate_file,
        name="certificate_file",
        permission="rounds.view_round",
    ),
    _post(
        "certificates/<path:name>/ask/", certificates.ask, name="ask_certificate", permission=SIGN
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
    _look(
        "tax-rates/",
        step_up(tax_rates.show_tax_rates),
        name="tax_rates",
        permission=tax_rates.LOOK,
        to_post=tax_rates.SET,
    ),
    _look(
        "weights/",
        multiplier_weights.show_weights,
        name="weights",
        permission="rounds.view_round",
        to_post=SIGN,
    ),
    _post(
        "weights/<int:pk>/approve/",
        multiplier_weights.approve,
        name="approve_weights",
        permission=SIGN,
    ),
    _post(
        "disputes/<int:dispute_id>/dossier/",
        step_up(dossiers.issue),
        name="issue_dossier",
        permission="payouts.open_dispute",
    ),
    _look(
        "dossiers/<int:pk>.<str:form>",
        dossiers.download_file,
        name="dossier_file",
        permission="payouts.view_dispute",
    ),
    _look("exports/new/", step_up(request_export.ask), name="ask_export", permission=ASK),
    _post(
        "exports/days/<str:day>/",
        step_up(request_export.ask_for_day),
        name="export_day",
        permission=ASK,
    ),
    _look("exports/runs/<int:run_id>/", request_export.show_run, name="export_run"),
    _look("exports/reports/<str:key>/", reports.show_report, name="report"),
    _look("exports/bundles/", export_list.show_bundles, name="bundles"),
    _look(_BUNDLE, bundle_page.show_bundle, name="bundle"),
    _look(f"{_BUNDLE}summary.pdf", bundle_page.show_summary, name="bundle_summary"),
    _look(f"{_BUNDLE}download/", bundle_page.download, name="bundle_file"),
    _look(f"{_BUNDLE}registers/<str:register>/", bundle_page.show_rows, name="bundle_rows"),
    _look(f"{_BUNDLE}answers/<int:sequence>/", bundle_page.show_answer, name="bundle_answer"),
    _post(
        f"{_BUNDLE}again/", step_up(request_export.ask_again), name="export_again", permission=ASK
    ),
    _post(f"{_BUNDLE}sign/", actions.sign, name="sign_bundle", permission=SIGN),
    _post(f"{_BUNDLE}aside/", step_up(actions.set_aside), name="set_bundle_aside", permission=SIGN),
    _post(f"{_BUNDLE}send/", step_up(actions.send), name="send_bundle", permission=HAND_IN),
    _post(f"{_BUNDLE}answer/", step_up(actions.answer), name="answer_bundle", permission=HAND_IN),
]
