"""Webhooks: their addresses, secrets, cursors and dead letters."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.integrations.models.key import ApiKey
from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows


class Webhook(models.Model):
    """An address to which events are sent, added by a key. Append-only.

    It receives events of the key's tables while the key is in force. ``seen`` is its first cursor:
    how many records of the log it skips. What was changed since is in ``changes``.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    key = models.ForeignKey(ApiKey, models.PROTECT, related_name="webhooks", verbose_name=_("key"))
    url = models.CharField(_("address"), max_length=2_000)
    types = ArrayField(models.CharField(max_length=30), verbose_name=_("events"))
    """Values of ``EventType``; none for all."""
    description = models.CharField(_("description"), max_length=200)
    seen = models.BigIntegerField()
    made_at = models.DateTimeField(_("created"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        triggers = [*append_only("webhook"), attested_rows("webhook")]
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.id)

    @property
    def current(self) -> "Webhook | WebhookChange":
        """Its ``url``, ``types`` and ``description`` after the latest change."""
        return max(self.changes.all(), key=lambda change: change.sequence, default=self)


class WebhookChange(models.Model):
    """A change of a webhook: what it has from then on. The latest sequence is in force."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="changes")
    sequence = models.IntegerField()
    url = models.CharField(_("address"), max_length=2_000)
    types = ArrayField(models.CharField(max_length=30), verbose_name=_("events"))
    description = models.CharField(_("description"), max_length=200)
    made_at = models.DateTimeField(_("changed"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("change of a webhook")
        verbose_name_plural = _("changes of webhooks")
        triggers = [*append_only("webhook_change"), attested_rows("webhook_change")]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "sequence"], name="one_webhook_change")
        ]
        default_permissions = ()


class WebhookSecret(models.Model):
    """A secret that signs messages, encrypted with SECRET_KEY.

    The latest sequence signs. Earlier ones sign too, until ``earlier_until``.
    """

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="secrets")
    sequence = models.IntegerField()
    sealed = models.BinaryField()
    earlier_until = models.DateTimeField(_("previous secrets sign until"))
    made_at = models.DateTimeField(_("created"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("secret of a webhook")
        verbose_name_plural = _("secrets of webhooks")
        triggers = [*append_only("webhook_secret"), attested_rows("webhook_secret")]
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
        triggers = [
            *append_only("webhook_removal"),
            attested_rows("webhook_removal", key="webhook_id"),
        ]
        default_permissions = ()


class WebhookState(models.Model):
    """The delivery state of a webhook; the row is the lock of the sending worker.

    ``seen`` is the cursor. ``attempts`` counts those at the next event; the next one is due at
    ``due_at``. While ``stopped_at`` is set nothing is sent, and the cursor stays.
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
    """The status of the last response; None if there was none."""
    error = models.CharField(max_length=300, default="")
    """Why the last attempt failed; empty if it succeeded."""
    stopped_at = models.DateTimeField(_("stopped"), null=True)

    class Meta:
        verbose_name = _("webhook state")
        verbose_name_plural = _("webhook states")
        default_permissions = ()


class DeadLetter(models.Model):
    """An event that a webhook did not accept after all attempts."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="dead_letters")
    number = models.IntegerField(_("number"))
    """Counted from 1 for each webhook."""
    event_id = models.UUIDField()
    leaf = models.BigIntegerField()
    type = models.CharField(_("event"), max_length=30)
    attempts = models.SmallIntegerField(_("attempts"))
    status = models.SmallIntegerField(null=True)
    error = models.CharField(_("last error"), max_length=300)
    first_tried_at = models.DateTimeField(_("first attempt"))
    died_at = models.DateTimeField(_("abandoned"))

    class Meta:
        verbose_name = _("dead letter")
        verbose_name_plural = _("dead letters")
        triggers = [*append_only("dead_letter"), attested_rows("dead_letter")]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "number"], name="one_dead_letter_a_number")
        ]
        default_permissions = ()


class WebhookOrder(models.Model):
    """An order to send a dead letter once more, or a ping. There is one attempt."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="orders")
    dead_letter = models.ForeignKey(
        DeadLetter, models.PROTECT, null=True, related_name="orders", verbose_name=_("dead letter")
    )
    """None for a ping."""
    asked_at = models.DateTimeField(_("requested"))
    actor = models.CharField(_("who"), max_length=200)
    tried_at = models.DateTimeField(_("sent"), null=True)
    status = models.SmallIntegerField(null=True)
    error = models.CharField(max_length=300, default="")

    class Meta:
        verbose_name = _("manual delivery to a webhook")
        verbose_name_plural = _("manual deliveries to webhooks")
        indexes = [
            models.Index(
                fields=["webhook"], name="waiting_orders", condition=models.Q(tried_at=None)
            )
        ]
        default_permissions = ()
