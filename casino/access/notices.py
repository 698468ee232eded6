"""Notices about people's access: to the person concerned and to compliance."""

from datetime import datetime
from functools import partial
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from casino.access.models import AccessNotice
from compliance.trail.action_labels import action_label
from compliance.trail.people import name_of
from rounds.formatting import moment
from rounds.wake_workers import notify_workers

SEND_TASK: Final = "casino.send_access_notices"
_COMPLIANCE: Final = "compliance"


def notify_about(
    person: User, action: str, *, actor: str, at: datetime, former_email: str = ""
) -> None:
    """Adds the notices in the current transaction; a worker sends them after the commit.

    ``former_email``, an address that the person had before, gets an e-mail as well.
    """
    concerned = Q(pk=person.pk) | Q(is_active=True, groups__name=_COMPLIANCE)
    notice = partial(AccessNotice, action=action, about=person, actor=actor, created_at=at)
    notices = [
        notice(recipient=recipient, email=recipient.email)
        for recipient in User.objects.filter(concerned).distinct()
    ]
    if former_email and former_email != person.email:
        notices.append(notice(recipient=person, email=former_email, acknowledged_at=at))
    AccessNotice.objects.bulk_create(notices)
    transaction.on_commit(partial(notify_workers, SEND_TASK))


def send_notices(*, at: datetime) -> int:
    """Sends all unsent notices; returns how many. One that fails does not stop the others.

    Raises the first failure at the end, so that the task fails.
    """
    sent, failures = 0, []
    unsent = AccessNotice.objects.filter(sent_at=None).exclude(email="").order_by("pk")
    for key in list(unsent.values_list("pk", flat=True)):
        try:
            with transaction.atomic():
                waiting = unsent.select_for_update(skip_locked=True, of=("self",))
                sent += sum(_send(notice, at=at) for notice in waiting.filter(pk=key))
        except OSError as failure:  # as all of smtplib's are
            failures.append(failure)
    if failures:
        raise failures[0]
    return sent


def _send(notice: AccessNotice, *, at: datetime) -> int:
    with override(settings.LANGUAGE_CODE):
        account = name_of(notice.about)
        subject = _("Sabot: %(action)s (%(account)s)")
        body = _(
            "%(action)s\n\nAccount: %(account)s (%(username)s)\nBy: %(actor)s\nWhen:"
            " %(moment)s\n\nIf you did not agree to this change, inform compliance and another"
            " administrator immediately."
        )
        values = {
            "action": action_label(notice.action),
            "account": account,
            "username": notice.about.get_username(),
            "actor": notice.actor,
            "moment": moment(notice.created_at),
        }
        send_mail(" ".join((subject % values).split()), body % values, None, [notice.email])
    notice.sent_at = at
    notice.save(update_fields=["sent_at"])
    return 1


def unread_notices(person: User) -> "QuerySet[AccessNotice]":
    """The notices that the person has not acknowledged, newest first."""
    unread = AccessNotice.objects.filter(recipient=person, acknowledged_at=None)
    return unread.select_related("about").order_by("-pk")
