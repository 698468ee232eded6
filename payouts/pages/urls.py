"""Addresses of the pages that are no list of a model's rows."""

from collections.abc import Callable
from functools import partial
from typing import Final

from django.contrib import admin
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from payouts.pages import managed_urls, stuck_actions
from payouts.pages.cases.urls import CASES
from payouts.pages.confirming import show_confirm
from payouts.pages.days import CLOSE, close_now, show_day, show_days
from payouts.pages.days import LOOK as LOOK_AT_DAYS
from payouts.pages.disputes.urls import DISPUTES
from payouts.pages.jobs import show_jobs
from payouts.pages.own_pages import page
from payouts.pages.proofs import proof, receipt
from payouts.pages.readings import show_readings, show_rule_set, show_rule_sets
from payouts.pages.reconciliations import RECONCILE, reconcile_now
from payouts.pages.shoe import show_shoe
from payouts.pages.stuck_item import show_stuck_item
from payouts.pages.stuck_list import show_stuck_work
from payouts.pages.stuck_together import act_together
from payouts.stuck.people import HANDLE, LOOK

_of_rounds = partial(page, permission="rounds.view_round")
_STUCK: Final = "stuck/<str:kind>/<str:key>/"


def _act(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return require_POST(page(view, permission=HANDLE))


urlpatterns = [
    path("security/confirm/", admin.site.admin_view(show_confirm), name="confirm"),
    path("jobs/", page(show_jobs, permission="rounds.view_round"), name="jobs"),
    *CASES,
    *DISPUTES,
    path("readings/", _of_rounds(show_readings), name="readings"),
    path("rule-sets/", _of_rounds(show_rule_sets), name="rule_sets"),
    path("rule-sets/<path:name>/", _of_rounds(show_rule_set), name="rule_set"),
    *managed_urls.urlpatterns,
    path(
        "records/<uuid:record_id>/proof.json",
        page(proof, permission="trail.view_auditrecord"),
        name="record_proof",
    ),
    path("rounds/<uuid:round_id>/receipt.json", _of_rounds(receipt), name="round_receipt"),
    path("shoe/", _of_rounds(show_shoe), name="shoe"),
    path(
        "reconciliations/now/",
        require_POST(page(reconcile_now, permission=RECONCILE)),
        name="reconcile_now",
    ),
    path("days/", page(show_days, permission=LOOK_AT_DAYS), name="days"),
    path("days/<str:day>/", page(show_day, permission=LOOK_AT_DAYS), name="day"),
    path(
        "days/<str:day>/close/",
        require_POST(page(close_now, permission=CLOSE)),
        name="close_day",
    ),
    path("stuck/", page(show_stuck_work, permission=LOOK), name="stuck_work"),
    path("stuck/together/", _act(act_together), name="stuck_together"),
    path(_STUCK, page(show_stuck_item, permission=LOOK), name="stuck_item"),
    path(f"{_STUCK}assign/", _act(stuck_actions.assign), name="assign_stuck_work"),
    path(f"{_STUCK}retry/", _act(stuck_actions.retry), name="retry_stuck_work"),
    path(f"{_STUCK}resolve/", _act(stuck_actions.resolve), name="resolve_stuck_work"),
]
