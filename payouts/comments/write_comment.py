"""Write a comment, and withdraw one."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from compliance.trail.steps import StepError, create_step, require_person
from payouts.cases.models import Case
from payouts.comments.models import KINDS, Comment
from payouts.disputes.models import Dispute
from rounds.models import Customer, Round

Commented = Customer | Round | Case | Dispute
"""What a comment can be about."""


class NotTheAuthor(StepError):
    """Only its author withdraws a comment."""


class AlreadyWithdrawn(StepError):
    """The comment was withdrawn, or is itself a withdrawal."""


@transaction.atomic
def write_comment(
    *, about: Commented, text: str, mentions: Collection[User], at: datetime, actor: Actor
) -> Comment:
    """Stores the comment and its audit record, which has the text and the mentioned accounts.

    Raises PersonRequired for a program.
    """
    require_person(actor)
    names = [person.get_username() for person in mentions]
    details = {"text": text, "mentions": names}
    if isinstance(about, Customer):  # as the notes from before there were other comments
        entry = Entry("CUSTOMER_NOTE_WRITTEN", _subject_of(about), details)
    else:
        entry = Entry("COMMENT_WRITTEN", _subject_of(about), details)
    return create_step(
        Comment,
        entry,
        **{_kind_of(about): about},
        text=text,
        mentions=[person.pk for person in mentions],
        at=at,
        actor=actor,
    )


@transaction.atomic
def withdraw_comment(*, comment_id: int, reason: str, at: datetime, actor: Actor) -> Comment:
    """Adds the withdrawal and its audit record; the text stays.

    Raises PersonRequired, NotTheAuthor, AlreadyWithdrawn.
    """
    person = require_person(actor)
    lock_names([f"comment:{comment_id}"])
    comment = Comment.objects.select_related(*KINDS).get(pk=comment_id)
    if comment.actor_user_id != person:
        raise NotTheAuthor(f"found {actor.name}; needed {comment.actor}")
    is_withdrawal = comment.withdraws_id is not None
    if is_withdrawal or Comment.objects.filter(withdraws=comment).exists():
        raise AlreadyWithdrawn(f"found comment {comment_id}; needed one that stands")
    about = getattr(comment, comment.kind)
    details = {"text": comment.text, "written_at": comment.at.isoformat(), "reason": reason}
    entry = Entry("COMMENT_WITHDRAWN", _subject_of(about), details)
    return create_step(
        Comment,
        entry,
        **{comment.kind: about},
        withdraws=comment,
        text=reason,
        mentions=[],
        at=at,
        actor=actor,
    )


def _kind_of(about: Commented) -> str:
    return type(about).__name__.lower()


def _subject_of(about: Commented) -> str:
    name = about.pseudonym if isinstance(about, Customer) else about
    return f"{_kind_of(about)}:{name}"
