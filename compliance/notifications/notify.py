"""Notifying people: the rows of their inboxes, and of the messages that workers send."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from compliance.notifications.inbox import inbox_of
from compliance.notifications.kinds import NotificationKind, kind_named
from compliance.notifications.models import ChannelChoice, Message, Notification, QuietHours
from compliance.notifications.quiet_hours import end_of_quiet
from compliance.trail.announcements import announce
from rounds.wake_workers import notify_workers

SEND_TASK: Final = "notifications.send_messages"


def notify(
    *,
    persons: Iterable[User],
    kind: str,
    key: str,
    subject: str,
    address: str,
    at: datetime,
    is_escalated: bool = False,
) -> list[Notification]:
    """Notifies these people in the current transaction; returns the new notifications.

    A person who has an open notification of this kind and ``key`` gets no second one, so a repeated
    call does nothing. ``subject`` names what it is about, without amounts and customers, and
    ``address`` is the path of its page. A worker sends the messages after the commit. Raises
    UnknownKind.
    """
    of_kind = kind_named(kind)
    active = {person.pk: person for person in persons if person.is_active}
    earlier = Notification.objects.filter(
        kind=kind, key=key, resolved_at=None, recipient_id__in=active
    ).values_list("recipient_id", flat=True)
    new = [
        Notification(
            recipient=active[pk],
            kind=kind,
            key=key,
            subject=subject,
            address=address,
            is_escalated=is_escalated,
            created_at=at,
        )
        for pk in sorted(active.keys() - set(earlier))
    ]
    if not new:
        return []
    # Another transaction may tell the same people at this moment: its rows count.
    Notification.objects.bulk_create(new, ignore_conflicts=True)
    added = list(
        Notification.objects.filter(
            kind=kind,
            key=key,
            created_at=at,
            resolved_at=None,
            recipient__in=[notification.recipient_id for notification in new],
        ).select_related("recipient")
    )
    Message.objects.bulk_create(_messages(of_kind, added, at=at), ignore_conflicts=True)
    announce(inbox_of(notification.recipient_id) for notification in added)
    transaction.on_commit(partial(notify_workers, SEND_TASK))
    return added


def _messages(
    kind: NotificationKind, notifications: list[Notification], *, at: datetime
) -> list[Message]:
    """A mail for each person who wants it, and one chat message for all who want that."""
    people = [notification.recipient_id for notification in notifications]
    choices = {row.person_id: row for row in _choices(kind, people)}
    quiet = QuietHours.objects.in_bulk(people)
    messages: list[Message] = []
    chats: list[Message] = []
    for notification in notifications:
        choice = choices.get(notification.recipient_id)
        due_at = _due_at(kind, quiet.get(notification.recipient_id), at=at)
        if kind.by_mail if choice is None else choice.by_mail:
            key = f"mail:{notification.pk}"
            messages.append(_message(Message.Channel.MAIL, notification, key, due_at))
        if kind.in_chat if choice is None else choice.in_chat:
            key = f"{_chat_key(notification)}{at.isoformat()}"
            chats.append(_message(Message.Channel.CHAT, notification, key, due_at))
    if chats and not _is_in_chat(chats[0].notification):
        messages.append(min(chats, key=lambda chat: chat.due_at))
    return messages


def _is_in_chat(notification: Notification) -> bool:
    """Whether the chat was told of this while it lasts, in the same urgency."""
    same = Notification.objects.filter(
        kind=notification.kind, key=notification.key, resolved_at=None
    )
    known = Message.objects.filter(dedupe_key__startswith=_chat_key(notification))
    return known.filter(notification__in=same).exists()


def _chat_key(notification: Notification) -> str:
    """How the keys of chat messages about this begin: that nobody has acted is a second one."""
    urgency = "escalated" if notification.is_escalated else "first"
    return f"chat:{notification.kind}:{notification.key}:{urgency}:"


def _choices(kind: NotificationKind, people: list[int]) -> Iterable[ChannelChoice]:
    return ChannelChoice.objects.filter(kind=kind.name, person_id__in=people)


def _message(
    channel: Message.Channel, notification: Notification, key: str, due_at: datetime
) -> Message:
    return Message(channel=channel, notification=notification, dedupe_key=key, due_at=due_at)


def _due_at(kind: NotificationKind, quiet: QuietHours | None, *, at: datetime) -> datetime:
    if quiet is None or (kind.is_alarm and quiet.lets_alarms_through):
        return at
    return end_of_quiet(at, begins_at=quiet.begins_at, ends_at=quiet.ends_at)
