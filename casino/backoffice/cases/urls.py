"""URLs of cases."""

from collections.abc import Callable
from functools import partial
from typing import Final

from django.http.response import HttpResponseBase
from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.cases import actions
from casino.backoffice.cases.case_list import show_cases
from casino.backoffice.cases.case_page import show_case, show_effect_file, show_evidence
from casino.backoffice.cases.correction_page import correct_round
from casino.backoffice.cases.messages import APPROVE, LOOK, PROPOSE
from casino.backoffice.cases.open_case import open_credit, open_malfunction
from casino.backoffice.cases.postings_table import show_bets_file
from casino.backoffice.cases.round_decisions import refund_bets, release_round
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.views import page

_view = partial(page, permission=LOOK)
_CASE: Final = "cases/<int:case_id>/"


def _propose_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    return page(step_up(view), permission=PROPOSE)


def _add(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    return require_POST(page(view, permission=PROPOSE))


def _propose(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    return _add(step_up(view))


def _approve(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    return require_POST(page(view, permission=APPROVE))


CASES: Final = [
    path("cases/", _view(show_cases), name="cases"),
    path("cases/malfunction/", _propose_page(open_malfunction), name="open_malfunction"),
    path("cases/credit/", _propose_page(open_credit), name="open_credit"),
    path("cases/correct/<uuid:round_id>/", _propose_page(correct_round), name="correct_round"),
    path("cases/release/<uuid:round_id>/", _propose_page(release_round), name="release_round"),
    path("cases/refund/<uuid:round_id>/", _propose_page(refund_bets), name="refund_bets"),
    path(_CASE, _view(show_case), name="case"),
    path(f"{_CASE}effect.csv", _view(show_effect_file), name="case_effect"),
    path(f"{_CASE}bets.csv", _view(show_bets_file), name="case_bets"),
    path(f"{_CASE}evidence/<int:evidence_id>/", _view(show_evidence), name="case_evidence"),
    path(f"{_CASE}evidence/add/", _add(actions.add_files), name="add_evidence"),
    path(f"{_CASE}propose/", _propose(actions.propose), name="propose_case"),
    path(f"{_CASE}refer/", _propose(actions.refer), name="refer_case"),
    path(f"{_CASE}answer/", _propose(actions.answer), name="answer_case"),
    path(f"{_CASE}withdraw/", _propose(actions.withdraw), name="withdraw_case"),
    path(f"{_CASE}approve/", _approve(actions.approve), name="approve_case"),
    path(f"{_CASE}resume/", _approve(actions.resume), name="resume_cases"),
    path(f"{_CASE}reject/", _approve(actions.reject), name="reject_case"),
]
