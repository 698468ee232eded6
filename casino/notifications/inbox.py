"""A person's notifications."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from casino.live.topics import inbox_of
from casino.notifications.models import Notification
from compliance.trail.announcements import announce


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
