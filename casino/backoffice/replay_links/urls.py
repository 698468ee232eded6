"""URLs of replay links: those of staff, and the one that needs no account."""

from typing import Final

from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.replay_links.link_list import revoke, show_links
from casino.backoffice.replay_links.make_link import LOOK, MAKE, make_link
from casino.backoffice.replay_links.replay_page import show_replay
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.views import page

REPLAY_LINKS: Final = [
    path("replay-links/", page(show_links, permission=LOOK), name="replay_links"),
    path(
        "replay-links/<int:pk>/revoke/",
        require_POST(page(revoke, permission=MAKE)),
        name="revoke_replay_link",
    ),
    path(
        "replay-links/new/<uuid:round_id>/",
        page(step_up(make_link), permission=MAKE),
        name="make_replay_link",
    ),
]

REPLAY: Final = path("replay/<str:token>/", show_replay, name="replay")
