"""Webhooks: where events are sent, by which secrets they are signed, and how far it has come."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from payouts.api.models.key import ApiKey


class Webhook(models.Model):
    """An address to which events are sent, made by a key; the row never changes.

    It is told what its key may see, of the key's tables, for as long as the key is in force.
    ``seen`` is where it begins: so many records of the log were there before.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    key = models.ForeignKey(ApiKey, models.PROTECT, related_name="webhooks", verbose_name=_("key"))
    url = models.CharField(_("address"), max_length=2_000)
    types = ArrayField(models.CharField(max_length=30), verbose_name=_("events"))
    """Values of ``EventType``; none for all."""
    description = models.CharField(_("description"), max_length=200)
    seen = models.BigIntegerField()
    made_at = models.DateTimeField(_("made"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        triggers = [*append_only("webhook"), kept("webhook")]
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.id)


class WebhookSecret(models.Model):
    """A secret that signs what is sent; sealed with SECRET_KEY, because signing needs it.

    The latest sequence signs. Those before it sign too, until ``earlier_until``.
    """

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="secrets")
    sequence = models.IntegerField()
    sealed = models.BinaryField()
    earlier_until = models.DateTimeField(_("earlier secrets sign until"))
    made_at = models.DateTimeField(_("made"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("secret of a webhook")
        verbose_name_plural = _("secrets of webhooks")
        triggers = [*append_only("webhook_secret"), kept("webhook_secret")]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "sequence"], name="one_webhook_secret")
        ]
        default_permissions = ()


class WebhookRemoval(models.Model):
    """The end of a webhook."""

    webhook = models.OneToOneField(
        Webhook, models.PROTECT, primary_key=True, related_name="removal"
    )
    removed_at = models.DateTimeField(_("removed"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("removal of a webhook")
        verbose_name_plural = _("removals of webhooks")
        triggers = [*append_only("webhook_removal"), kept("webhook_removal", key="webhook_id")]
        default_permissions = ()


class WebhookState(models.Model):
    """How far a webhook has come: the one row of it that changes, and the lock of who sends.

    The first ``seen`` records of the log are behind it. ``attempts`` were made at the event that
    comes next; the next one is made from ``due_at`` on. While ``stopped_at`` is set nothing is
    sent, and nothing is lost either.
    """

    webhook = models.OneToOneField(Webhook, models.PROTECT, primary_key=True, related_name="state")
    seen = models.BigIntegerField()
    due_at = models.DateTimeField()
    attempts = models.SmallIntegerField(default=0)
    first_tried_at = models.DateTimeField(null=True)
    delivered = models.BigIntegerField(_("delivered"), default=0)
    dead_in_a_row = models.SmallIntegerField(default=0)
    tried_at = models.DateTimeField(_("last attempt"), null=True)
    status = models.SmallIntegerField(null=True)
    """Of the last answer; None where there was none."""
    error = models.CharField(max_length=300, default="")
    """What was wrong with the last attempt; nothing where it was taken."""
    stopped_at = models.DateTimeField(_("stopped"), null=True)

    class Meta:
        verbose_name = _("state of a webhook")
        verbose_name_plural = _("states of webhooks")
        default_permissions = ()


class DeadLetter(models.Model):
    """An event that a webhook did not take, however often it was sent."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="dead_letters")
    number = models.IntegerField(_("number"))
    """From 1, of this webhook."""
    event_id = models.UUIDField()
    leaf = models.BigIntegerField()
    type = models.CharField(_("event"), max_length=30)
    attempts = models.SmallIntegerField(_("attempts"))
    status = models.SmallIntegerField(null=True)
    error = models.CharField(_("last error"), max_length=300)
    first_tried_at = models.DateTimeField(_("first attempt"))
    died_at = models.DateTimeField(_("given up"))

    class Meta:
        verbose_name = _("dead letter")
        verbose_name_plural = _("dead letters")
        triggers = [*append_only("dead_letter"), kept("dead_letter")]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "number"], name="one_dead_letter_a_number")
        ]
        default_permissions = ()


class WebhookOrder(models.Model):
    """Something that somebody wants sent out of turn: a dead letter once more, or a ping.

    It is tried once; whoever ordered it sees what was answered, and may order it again.
    """

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="orders")
    dead_letter = models.ForeignKey(
        DeadLetter, models.PROTECT, null=True, related_name="orders", verbose_name=_("dead letter")
    )
    """None for a ping."""
    asked_at = models.DateTimeField(_("asked"))
    actor = models.CharField(_("who"), max_length=200)
    tried_at = models.DateTimeField(_("sent"), null=True)
    status = models.SmallIntegerField(null=True)
    error = models.CharField(max_length=300, default="")

    class Meta:
        verbose_name = _("order to a webhook")
        verbose_name_plural = _("orders to webhooks")
        indexes = [
            models.Index(
                fields=["webhook"], name="waiting_orders", condition=models.Q(tried_at=None)
            )
        ]
        default_permissions = ()
