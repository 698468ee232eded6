"""URLs of comments."""

from typing import Final

from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.comments.actions import withdraw, write
from casino.backoffice.comments.comment_list import show_comments
from casino.backoffice.comments.records import LOOK, WRITE
from casino.backoffice.site.views import page

COMMENTS: Final = [
    path("comments/", page(show_comments, permission=LOOK), name="comments"),
    path(
        "comments/<int:pk>/withdraw/",
        require_POST(page(withdraw, permission=WRITE)),
        name="withdraw_comment",
    ),
    path(
        "comments/<str:kind>/<str:key>/",
        require_POST(page(write, permission=WRITE)),
        name="write_comment",
    ),
]
