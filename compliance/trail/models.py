"""The audit record, and the batch in which it was written."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only


class AuditRecord(models.Model):
    """One thing that happened to a round or to money; written with it, in one transaction.

    Logins, and the pages that an auditor looks at, stand among them.

    ``id`` is that of its batch with its position behind it (``compliance.trail.batches``). ``leaf``
    is the SHA-256 of the record's canonical encoding (``compliance.trail.encoding``), so that a
    record changed behind the database's back no longer fits its own digest.
    """

    partition_key = "id"

    id = models.UUIDField(primary_key=True, editable=False)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    action = models.CharField(_("what"), max_length=40)
    subject = models.CharField(_("on what"), max_length=120)
    details = models.JSONField(_("details"), default=dict)
    leaf = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("audit record")
        verbose_name_plural = _("audit records")
        indexes = [models.Index(fields=["subject", "id"], name="trail_by_subject")]
        triggers = append_only("trail")
        default_permissions = ("view",)


class AuditBatch(models.Model):
    """The records of one transaction: how many there are, and the Merkle root over their leaves.

    A record added to a batch later, or taken from it, no longer fits the root.
    """

    partition_key = "id"

    id = models.UUIDField(primary_key=True, editable=False)
    at = models.DateTimeField(_("when"))
    record_count = models.IntegerField(_("records"))
    root = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("batch of audit records")
        verbose_name_plural = _("batches of audit records")
        triggers = append_only("trail_batch")
        default_permissions = ("view",)
