"""Notifications, their messages, and what people have chosen.

None of these are facts: what a notification is about is recorded where it happened. So the tables
are ordinary ones, and read notifications are deleted after a while.
"""

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_NAME = 200


def _person() -> "models.ForeignKey[User, User]":
    return models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")


class Notification(models.Model):
    """What one person is told. A condition has one notification at a time for each person.

    ``key`` identifies what it is about within its kind; ``subject`` names it without amounts or
    customers; ``address`` is the path of its page.
    """

    recipient = _person()
    kind = models.CharField(_("kind"), max_length=40)
    key = models.CharField(max_length=LONGEST_NAME)
    subject = models.CharField(_("subject"), max_length=LONGEST_NAME)
    address = models.CharField(max_length=500)
    is_escalated = models.BooleanField(_("escalated"), default=False)
    created_at = models.DateTimeField(_("when"))
    read_at = models.DateTimeField(_("read"), null=True)
    resolved_at = models.DateTimeField(_("done"), null=True)
    """When its condition was over."""

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["recipient", "kind", "key"],
                condition=models.Q(resolved_at=None),
                name="one_open_notification",
            )
        ]
        indexes = [
            models.Index(fields=["recipient", "-id"], name="notification_by_recipient"),
            models.Index(
                fields=["recipient"],
                condition=models.Q(read_at=None, resolved_at=None),
                name="notification_unread",
            ),
            models.Index(
                fields=["kind", "key"],
                condition=models.Q(resolved_at=None),
                name="notification_open",
            ),
            models.Index(fields=["created_at"], name="notification_by_time"),
        ]


class Message(models.Model):
    """An e-mail or chat message that a worker sends once: a row of the outbox.

    It is sent at ``due_at``, after the quiet hours, unless its notification was read or resolved by
    then. ``dedupe_key`` is unique, so that no message is enqueued twice.
    """

    class Channel(models.TextChoices):
        """How it is sent."""

        MAIL = "mail", _("E-mail")
        CHAT = "chat", _("Chat")

    notification = models.ForeignKey(Notification, models.CASCADE, related_name="messages")
    channel = models.CharField(max_length=4, choices=Channel.choices)
    dedupe_key = models.CharField(max_length=LONGEST_NAME * 2, unique=True)
    due_at = models.DateTimeField()
    attempts = models.IntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True)
    dropped_at = models.DateTimeField(null=True)
    """When it was given up, or was no longer needed."""

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(sent_at=None, dropped_at=None),
                name="message_waiting",
            )
        ]


class ChannelChoice(models.Model):
    """The channels that a person chose for a kind. Without a row those of the kind apply."""

    person = _person()
    kind = models.CharField(max_length=40)
    by_mail = models.BooleanField()
    in_chat = models.BooleanField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["person", "kind"], name="one_choice_a_kind")]


class QuietHours(models.Model):
    """The hours in Rome in which a person gets no messages; past midnight if they end earlier."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )
    begins_at = models.TimeField()
    ends_at = models.TimeField()
    lets_alarms_through = models.BooleanField(default=True)

    class Meta:
        default_permissions = ()
