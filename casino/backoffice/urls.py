"""URLs of pages outside of the admin's model lists."""

from collections.abc import Callable
from functools import partial
from typing import Final

from django.contrib import admin
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.archive.archive_page import QUERY as QUERY_ARCHIVE
from casino.backoffice.archive.archive_page import show_archive
from casino.backoffice.board.board import LOOK as LOOK_AT_BOARD
from casino.backoffice.board.board import show_board
from casino.backoffice.cases.urls import CASES
from casino.backoffice.comments.urls import COMMENTS
from casino.backoffice.customers.urls import CUSTOMERS
from casino.backoffice.disputes.urls import DISPUTES
from casino.backoffice.drafts.urls import DRAFTS
from casino.backoffice.gaming_days.close_day import confirm_closing
from casino.backoffice.gaming_days.close_empty_days import confirm_closing_empty_days
from casino.backoffice.gaming_days.days import CLOSE, show_day, show_days
from casino.backoffice.gaming_days.days import LOOK as LOOK_AT_DAYS
from casino.backoffice.impact.urls import IMPACT
from casino.backoffice.integrity.stops_page import LOOK as LOOK_AT_STOPS
from casino.backoffice.integrity.stops_page import show_stops
from casino.backoffice.notifications.urls import NOTIFICATIONS
from casino.backoffice.reconciliation.reconciliations import RECONCILE, reconcile_now
from casino.backoffice.replay_links.urls import REPLAY_LINKS
from casino.backoffice.rounds.assign_held_rounds import assign_held_rounds
from casino.backoffice.rounds.proofs import proof, receipt
from casino.backoffice.rounds.shoe import show_shoe
from casino.backoffice.rounds.videos import ADD as ADD_VIDEO
from casino.backoffice.rounds.videos import add_video
from casino.backoffice.rules.readings import SIGN as SIGN_RULES
from casino.backoffice.rules.readings import show_readings, show_rule_set, show_rule_sets, sign
from casino.backoffice.search.search_page import show_search
from casino.backoffice.security.confirmation import show_confirm
from casino.backoffice.security.session_status import session_status
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site import management_urls
from casino.backoffice.site.views import page
from casino.backoffice.stuck_work import actions
from casino.backoffice.stuck_work.bulk_actions import act_on_selected
from casino.backoffice.stuck_work.item_page import show_stuck_item
from casino.backoffice.stuck_work.work_list import show_stuck_work
from casino.backoffice.today.background_jobs import show_jobs
from casino.backoffice.today.first_steps import change_tour
from casino.backoffice.today.waiting import show_counts
from casino.backoffice.verification_files.make_file import VERIFICATION_FILES
from casino.live.stream_view import live_stream
from payouts.stuck_work.permissions import HANDLE, LOOK

_of_rounds = partial(page, permission="rounds.view_round")
_STUCK: Final = "stuck/<str:kind>/<str:key>/"


def _act(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    return require_POST(page(view, permission=HANDLE))


urlpatterns = [
    path("security/confirm/", admin.site.admin_view(show_confirm), name="confirm"),
    path("security/session/", session_status, name="session_status"),
    path("search/", admin.site.admin_view(show_search), name="search"),
    path("live/", live_stream, name="live"),
    path("waiting/", admin.site.admin_view(show_counts), name="waiting"),
    path("jobs/", page(show_jobs, permission="rounds.view_round"), name="jobs"),
    *CASES,
    *COMMENTS,
    *CUSTOMERS,
    *DISPUTES,
    *IMPACT,
    *NOTIFICATIONS,
    *REPLAY_LINKS,
    *VERIFICATION_FILES,
    DRAFTS,
    path("readings/", _of_rounds(show_readings), name="readings"),
    path("rule-sets/", _of_rounds(show_rule_sets), name="rule_sets"),
    path(
        "rule-sets/<path:name>/sign/",
        require_POST(page(step_up(sign), permission=SIGN_RULES)),
        name="sign_rules",
    ),
    path("rule-sets/<path:name>/", _of_rounds(show_rule_set), name="rule_set"),
    *management_urls.urlpatterns,
    path(
        "records/<uuid:record_id>/proof.json",
        page(proof, permission="trail.view_auditrecord"),
        name="record_proof",
    ),
    path("rounds/<uuid:round_id>/receipt.json", _of_rounds(receipt), name="round_receipt"),
    path(
        "rounds/<uuid:round_id>/video/",
        require_POST(page(add_video, permission=ADD_VIDEO)),
        name="add_video",
    ),
    path("shoe/", _of_rounds(show_shoe), name="shoe"),
    path(
        "reconciliations/now/",
        require_POST(page(reconcile_now, permission=RECONCILE)),
        name="reconcile_now",
    ),
    path(
        "settlement-stops/",
        page(show_stops, permission=LOOK_AT_STOPS),
        name="integrity_stops",
    ),
    path("archive/", page(step_up(show_archive), permission=QUERY_ARCHIVE), name="archive"),
    path("board/", page(show_board, permission=LOOK_AT_BOARD), name="board"),
    path("tour/", admin.site.admin_view(require_POST(change_tour)), name="change_tour"),
    path("days/", page(show_days, permission=LOOK_AT_DAYS), name="days"),
    path(
        "days/empty/close/",
        page(confirm_closing_empty_days, permission=CLOSE),
        name="close_empty_days",
    ),
    path("days/<str:day>/", page(show_day, permission=LOOK_AT_DAYS), name="day"),
    path("days/<str:day>/close/", page(confirm_closing, permission=CLOSE), name="close_day"),
    path("held-rounds/assign/", _act(assign_held_rounds), name="assign_held_rounds"),
    path("stuck/", page(show_stuck_work, permission=LOOK), name="stuck_work"),
    path("stuck/together/", _act(act_on_selected), name="stuck_together"),
    path(_STUCK, page(show_stuck_item, permission=LOOK), name="stuck_item"),
    path(f"{_STUCK}assign/", _act(actions.assign), name="assign_stuck_work"),
    path(f"{_STUCK}retry/", _act(actions.retry), name="retry_stuck_work"),
    path(f"{_STUCK}resolve/", _act(actions.resolve), name="resolve_stuck_work"),
]
