"""The comments on a record, as its page shows them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse

from casino.access.current_user import request_user
from casino.backoffice.comments.forms import CommentForm, WithdrawalForm
from casino.backoffice.comments.records import WRITE, people_to_mention
from compliance.trail.people import name_of
from payouts.comments.mentions import mention_parts
from payouts.comments.models import Comment

_MOST_SHOWN: Final = 50


class Part(NamedTuple):
    """A part of a text, and the name of the person whom it mentions; empty for none."""

    text: str
    person: str


class CommentLine(NamedTuple):
    """A comment with its parts; ``withdrawal`` is None while it stands."""

    comment: Comment
    parts: Sequence[Part]
    withdrawal: Comment | None
    may_withdraw: bool


def comments_context(request: HttpRequest, kind: str, key: object) -> dict[str, Any]:
    """The comments on a record, newest first, and the form of who may write."""
    rows = Comment.objects.filter(**{kind: key, "withdraws": None}).select_related("withdrawal")
    comments = list(rows.order_by("-id")[: _MOST_SHOWN + 1])
    may_write = request.user.has_perm(WRITE)
    return {
        "comments": {
            "lines": comment_lines(comments[:_MOST_SHOWN], request_user(request)),
            "has_more": len(comments) > _MOST_SHOWN,
            "may_write": may_write,
            "address": reverse("write_comment", args=[kind, key]),
            "form": CommentForm(),
            "withdrawal_form": WithdrawalForm(),
            "people": _people() if may_write else "",
        }
    }


def comment_lines(comments: Sequence[Comment], reader: User) -> list[CommentLine]:
    """The comments as the reader sees them. One query for the names in all of them."""
    people = User.objects.in_bulk({pk for comment in comments for pk in comment.mentions})
    writes = reader.has_perm(WRITE)
    lines = []
    for comment in comments:
        withdrawal = getattr(comment, "withdrawal", None)
        names = {
            people[pk].get_username().casefold(): name_of(people[pk]) or ""
            for pk in comment.mentions
            if pk in people
        }
        may_withdraw = writes and withdrawal is None and comment.actor_user_id == reader.pk
        lines.append(CommentLine(comment, _parts(comment.text, names), withdrawal, may_withdraw))
    return lines


def _parts(text: str, names: Mapping[str, str]) -> list[Part]:
    return [Part(part, names.get(name, "")) for part, name in mention_parts(text, names)]


def _people() -> str:
    """Whom the form completes, as JSON: the name to type, and the name of the person."""
    people = [
        {"name": person.get_username(), "label": name_of(person) or ""}
        for person in people_to_mention()
    ]
    return json.dumps(people)
