"""A person's notifications."""

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from compliance.notifications.models import Notification
from compliance.trail.announcements import announce

INBOX: Final = "inbox"
"""The kind of the topic of a person's notifications (``compliance.trail.announcements``)."""


def inbox_of(person_id: int) -> str:
    """The topic of a person's notifications."""
    return f"{INBOX}:{person_id}"


def notifications_of(person: User) -> QuerySet[Notification]:
    """The notifications of a person."""
    return Notification.objects.filter(recipient=person)


def unread_of(person: User) -> QuerySet[Notification]:
    """Those that the person has not read, and whose matter is not over."""
    return notifications_of(person).filter(read_at=None, resolved_at=None)


def mark_read(notifications: QuerySet[Notification], *, person: User, at: datetime) -> int:
    """Marks those of the person that are unread; returns their number."""
    number = notifications.filter(recipient=person, read_at=None).update(read_at=at)
    if number:
        announce([inbox_of(person.pk)])
    return number
