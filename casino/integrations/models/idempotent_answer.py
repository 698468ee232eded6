"""Stored responses to calls with an Idempotency-Key."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.integrations.models.key import ApiKey


class GivenAnswer(models.Model):
    """The first response to a call that changed something, written in its transaction.

    ``asked`` is the SHA-256 of method, path and body. ``content`` is encrypted with SECRET_KEY,
    because a response may contain a token. Rows are deleted after thirty days.
    """

    key = models.ForeignKey(ApiKey, models.PROTECT, related_name="+")
    idempotency_key = models.CharField(max_length=255)
    asked = models.BinaryField(max_length=32)
    status = models.SmallIntegerField()
    headers = models.JSONField()
    content = models.BinaryField()
    given_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("stored API answer")
        verbose_name_plural = _("stored API answers")
        constraints = [
            models.UniqueConstraint(
                fields=["key", "idempotency_key"], name="one_answer_an_idempotency_key"
            )
        ]
        default_permissions = ()
