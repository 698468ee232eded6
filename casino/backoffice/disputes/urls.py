"""URLs of disputes."""

from collections.abc import Callable
from functools import partial
from typing import Final

from django.http.response import HttpResponseBase
from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.disputes import actions
from casino.backoffice.disputes.dispute_list import show_disputes
from casino.backoffice.disputes.dispute_page import show_dispute, show_dispute_evidence
from casino.backoffice.disputes.messages import DECIDE, LOOK, OPEN
from casino.backoffice.disputes.open_dispute import open_about
from casino.backoffice.disputes.terms import SET, set_term
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.views import page

_view = partial(page, permission=LOOK)
_DISPUTE: Final = "disputes/<int:dispute_id>/"


def _handle(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    return require_POST(page(view, permission=OPEN))


def _decide(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    return require_POST(page(view, permission=DECIDE))


DISPUTES: Final = [
    path("disputes/", _view(show_disputes), name="disputes"),
    path("disputes/open/<uuid:round_id>/", page(open_about, permission=OPEN), name="open_dispute"),
    path("disputes/terms/", require_POST(page(step_up(set_term), permission=SET)), name="set_term"),
    path(_DISPUTE, _view(show_dispute), name="dispute"),
    path(
        f"{_DISPUTE}evidence/<int:evidence_id>/", _view(show_dispute_evidence), name="dispute_file"
    ),
    path(f"{_DISPUTE}evidence/add/", _handle(actions.add_files), name="add_dispute_file"),
    path(
        f"{_DISPUTE}evidence/<int:evidence_id>/share/",
        _handle(actions.share_file),
        name="share_file",
    ),
    path(f"{_DISPUTE}take/", _decide(actions.take), name="take_dispute"),
    path(f"{_DISPUTE}ask/", _handle(actions.ask), name="ask_customer"),
    path(f"{_DISPUTE}answer/", _handle(actions.answer), name="answer_dispute"),
    path(f"{_DISPUTE}uphold/", _decide(actions.uphold), name="uphold_dispute"),
    path(f"{_DISPUTE}reject/", _decide(actions.reject), name="reject_dispute"),
    path(f"{_DISPUTE}close/", _decide(step_up(actions.close)), name="close_dispute"),
    path(f"{_DISPUTE}escalate/", _handle(actions.escalate), name="escalate_dispute"),
    path(
        f"{_DISPUTE}outside/",
        _decide(step_up(actions.record_answer_outside)),
        name="outside_answer",
    ),
    path(f"{_DISPUTE}reopen/", _decide(step_up(actions.reopen)), name="reopen_dispute"),
]
