"""Sending the messages that wait: e-mails, one a person, and lines in the chat.

Each message is a row that is locked while it is sent and marked in the same transaction. A worker
that is killed in between sends it again, with the same Message-ID: at least once, as everywhere.
Messages name the kind and link to the page. Amounts and customers stay in Sabot.
"""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from casino.integrations.post_to_webhook import Outcome, post
from casino.integrations.webhook_addresses import checked_url
from compliance.notifications.kinds import kind_label
from compliance.notifications.models import Message, Notification
from rounds.field_errors import InvalidField

PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480, 1440))
"""The pauses before further attempts. After the last a message is given up."""
_MOST: Final = 50
"""Messages of one e-mail."""
_HEADERS: Final = {"Content-Type": "application/json", "User-Agent": "Sabot-Notifications/1"}


class MessageNotSent(Exception):
    """A message was not accepted; it is tried again later."""


def send_messages(*, now: Callable[[], datetime]) -> int:
    """Sends all messages that are due; returns their number. One that fails does not stop others.

    Raises MessageNotSent at the end if one failed, so that the task fails and is seen.
    """
    sent = 0
    errors: list[str] = []
    people = _due(now()).filter(channel=Message.Channel.MAIL).order_by("due_at")
    recipients = people.values_list("notification__recipient_id", flat=True)
    for person in list(dict.fromkeys(recipients)):
        of_person = {"channel": Message.Channel.MAIL, "notification__recipient_id": person}
        number, error = _send(of_person, _mail, at=now())
        sent += number
        errors.append(error)
    chats = _due(now()).filter(channel=Message.Channel.CHAT).order_by("due_at")
    for key in list(chats.values_list("pk", flat=True)):
        number, error = _send({"pk": key}, _chat, at=now())
        sent += number
        errors.append(error)
    if failures := [error for error in errors if error]:
        raise MessageNotSent(failures[0])
    return sent


def _due(at: datetime) -> QuerySet[Message]:
    return Message.objects.filter(sent_at=None, dropped_at=None, due_at__lte=at)


def _send(
    which: dict[str, Any], deliver: Callable[[list[Notification]], str], *, at: datetime
) -> tuple[int, str]:
    """Sends these messages together; returns how many were sent, and the error."""
    with transaction.atomic():
        due = _due(at).filter(**which).select_for_update(skip_locked=True, of=("self",))
        locked = list(due.select_related("notification__recipient").order_by("pk")[:_MOST])
        needed = [message for message in locked if _is_needed(message.notification)]
        for message in locked:
            if message not in needed:
                message.dropped_at = at
        error = deliver([message.notification for message in needed]) if needed else ""
        for message in needed:
            _mark(message, error, at=at)
        Message.objects.bulk_update(
            locked, ["sent_at", "dropped_at", "due_at", "attempts", "error"]
        )
    return (0 if error else len(needed)), error


def _is_needed(notification: Notification) -> bool:
    """Whether its recipient has not seen it, can, and nobody has acted."""
    is_open = notification.read_at is None and notification.resolved_at is None
    return is_open and notification.recipient.is_active


def _mark(message: Message, error: str, *, at: datetime) -> None:
    message.error = error[:300]
    if not error:
        message.sent_at = at
        return
    message.attempts += 1
    if message.attempts > len(PAUSES):
        message.dropped_at = at
    else:
        message.due_at = at + PAUSES[message.attempts - 1]


def _mail(notifications: list[Notification]) -> str:
    """Sends one e-mail with all of them; returns the error."""
    recipient = notifications[0].recipient
    if not recipient.email:
        return ""
    with override(settings.LANGUAGE_CODE):
        first = kind_label(notifications[0].kind)
        subject = first
        if more := len(notifications) - 1:
            subject = ngettext(
                "%(first)s, and %(number)s more", "%(first)s, and %(number)s more", more
            ) % {"first": first, "number": more}
        lines = [_line(notification) for notification in notifications]
        foot = _("Choose what you get by e-mail: %(address)s") % {
            "address": f"{settings.SITE_URL}/admin/notifications/settings/"
        }
        text = "\n\n".join([*lines, f"-- \n{foot}"])
    name = sha256(" ".join(str(row.pk) for row in notifications).encode()).hexdigest()[:32]
    mail = EmailMessage(f"Sabot: {subject}", text, None, [recipient.email])
    mail.extra_headers["Message-ID"] = f"<{name}@notifications.sabot>"
    try:
        mail.send()
    except OSError as failure:  # as all of smtplib's are
        return f"mail: {failure}"
    return ""


def _chat(notifications: list[Notification]) -> str:
    """Posts one line to the incoming webhook of the chat; returns the error."""
    if not settings.CHAT_WEBHOOK_URL:
        return ""
    with override(settings.LANGUAGE_CODE):
        text = "\n".join(_line(notification) for notification in notifications)
    body = json.dumps({"text": text}, ensure_ascii=False).encode()
    try:
        outcome = post(checked_url(settings.CHAT_WEBHOOK_URL), body, _HEADERS)
    except InvalidField as invalid:  # its text would contain the address, which is a secret
        outcome = Outcome(None, f"CHAT_WEBHOOK_URL is not {invalid.needed}")
    return "" if outcome.is_accepted else f"chat: {outcome.error}"


def _line(notification: Notification) -> str:
    label = kind_label(notification.kind)
    if notification.is_escalated:
        label = _("%(what)s (nobody has acted yet)") % {"what": label}
    return f"{label}\n{settings.SITE_URL}{notification.address}"
