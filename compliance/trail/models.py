"""The audit record, the batch in which it was written, and the log that batches are added to.

Records are the leaves of one Merkle log (RFC 9162), in the order in which their batches were added
to it: a worker that holds the key does that within seconds after the batch (``appending``), links
each batch to the one before, and signs the head of the tree.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.fields import CanonicalJSONField


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
    details = CanonicalJSONField(_("details"), default=dict)
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


class PendingBatch(models.Model):
    """A batch that the log has not got yet: a work list, written with the batch.

    Nothing is proved by it: a batch that is in neither is found by ``verify_trail``.
    """

    batch_id = models.UUIDField(primary_key=True, editable=False)

    class Meta:
        verbose_name = _("batch waiting for the log")
        verbose_name_plural = _("batches waiting for the log")
        default_permissions = ()


class PendingRow(models.Model):
    """A row of a table whose rows are kept (``kept``), not on record yet: a work list."""

    id = models.BigAutoField(primary_key=True)
    table_name = models.CharField(max_length=64)
    key = models.TextField()
    columns = ArrayField(models.TextField())
    digest = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("row waiting for its record")
        verbose_name_plural = _("rows waiting for their record")
        default_permissions = ()


class LogKey(models.Model):
    """A public key that signs heads of the tree, from ``first_head`` until the next one's.

    ``endorsement`` is the signature of the key before over this one; the first key has none and is
    to be known from elsewhere. When it came into force its first head tells.
    """

    key_id = models.CharField(_("key"), primary_key=True, max_length=64)
    public_key = models.BinaryField(max_length=32)
    first_head = models.BigIntegerField(_("from head"), unique=True)
    endorsement = models.BinaryField(max_length=64, default=b"")

    class Meta:
        verbose_name = _("key of the log")
        verbose_name_plural = _("keys of the log")
        triggers = append_only("log_key")
        default_permissions = ("view",)


class TreeHead(models.Model):
    """A signed head of the log: size, root and last link after some batches were added."""

    sequence = models.BigIntegerField(_("head"), primary_key=True)
    at = models.DateTimeField(_("when"))
    batch_count = models.IntegerField(_("batches added"))
    size = models.BigIntegerField(_("records in the log"))
    root = models.BinaryField(max_length=32)
    chain = models.BinaryField(max_length=32)
    key = models.ForeignKey(LogKey, models.PROTECT, related_name="heads", db_index=False)
    signature = models.BinaryField(max_length=64)

    class Meta:
        verbose_name = _("signed tree head")
        verbose_name_plural = _("signed tree heads")
        triggers = append_only("tree_head")
        indexes = [models.Index(fields=["size"], name="head_by_size")]
        default_permissions = ("view",)


class LoggedBatch(models.Model):
    """Where a batch stands in the log: its first record is leaf ``first_leaf``, counted from 0."""

    partition_key = "batch_id"

    batch_id = models.UUIDField(primary_key=True, editable=False)
    head_id = models.BigIntegerField(_("head"))
    first_leaf = models.BigIntegerField(_("first record"))
    chain = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("batch in the log")
        verbose_name_plural = _("batches in the log")
        triggers = append_only("logged_batch")
        indexes = [models.Index(fields=["first_leaf"], name="logged_by_leaf")]
        default_permissions = ("view",)


class LogNode(models.Model):
    """The hash of a complete subtree of 2**``level`` leaves, ``index`` counted from the left.

    Every eighth level is kept, so that no proof reads more than 255 leaves or nodes a level.
    """

    pk = models.CompositePrimaryKey("level", "index")
    level = models.SmallIntegerField()
    index = models.BigIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("node of the log")
        verbose_name_plural = _("nodes of the log")
        triggers = append_only("log_node")
        default_permissions = ("view",)
