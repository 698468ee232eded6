"""Celery tasks of notifications."""

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from casino.notifications.follow_conditions import follow_conditions
from casino.notifications.notify import SEND_TASK
from casino.notifications.send_messages import send_messages

FOLLOW: Final = "notifications.follow_conditions"


@shared_task(name=FOLLOW)
def follow_conditions_task() -> None:
    """Tells people of what awaits them, and ends what is over. Idempotent."""
    escalate_after = timedelta(hours=settings.ESCALATION_HOURS)
    follow_conditions(at=timezone.now(), escalate_after=escalate_after)


@shared_task(name=SEND_TASK)
def send_messages_task() -> None:
    """Sends the messages that are due. Idempotent."""
    send_messages(now=timezone.now)
