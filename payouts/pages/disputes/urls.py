"""Addresses of the pages of disputes."""

from collections.abc import Callable
from functools import partial
from typing import Final

from django.http import HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from payouts.pages.disputes import doing
from payouts.pages.disputes.dispute_page import show_dispute, show_dispute_evidence
from payouts.pages.disputes.listing import show_disputes
from payouts.pages.disputes.opening import open_about
from payouts.pages.disputes.words import DECIDE, LOOK, OPEN
from payouts.pages.own_pages import page

_looking = partial(page, permission=LOOK)
_ONE: Final = "disputes/<int:dispute_id>/"


def _speak(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return require_POST(page(view, permission=OPEN))


def _decide(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return require_POST(page(view, permission=DECIDE))


DISPUTES: Final = [
    path("disputes/", _looking(show_disputes), name="disputes"),
    path("disputes/open/<uuid:round_id>/", page(open_about, permission=OPEN), name="open_dispute"),
    path(_ONE, _looking(show_dispute), name="dispute"),
    path(
        f"{_ONE}evidence/<int:evidence_id>/", _looking(show_dispute_evidence), name="dispute_file"
    ),
    path(f"{_ONE}evidence/add/", _speak(doing.add_files), name="add_dispute_file"),
    path(f"{_ONE}take/", _decide(doing.take), name="take_dispute"),
    path(f"{_ONE}ask/", _speak(doing.ask), name="ask_customer"),
    path(f"{_ONE}answer/", _speak(doing.answer), name="answer_dispute"),
    path(f"{_ONE}uphold/", _decide(doing.uphold), name="uphold_dispute"),
    path(f"{_ONE}reject/", _decide(doing.reject), name="reject_dispute"),
    path(f"{_ONE}close/", _decide(doing.close), name="close_dispute"),
    path(f"{_ONE}escalate/", _speak(doing.escalate), name="escalate_dispute"),
    path(f"{_ONE}outside/", _decide(doing.outside), name="outside_answer"),
    path(f"{_ONE}reopen/", _decide(doing.reopen), name="reopen_dispute"),
]
