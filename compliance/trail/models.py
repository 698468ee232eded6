"""The audit record, the batch in which it was written, and the log that batches are added to.

Records are the leaves of one Merkle log (RFC 9162), in the order in which their batches were added.
Within seconds after a batch, the worker that holds the key adds it to the log (``append_to_log``),
links it to the one before, and signs the head of the tree.
"""

from typing import Final

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.json_field import CanonicalJSONField

_ONLY_WHILE_EMPTY: Final = """
    IF NOT EXISTS (SELECT FROM trail_sandboxstart) AND EXISTS (SELECT FROM trail_auditbatch) THEN
        RAISE EXCEPTION 'found audit records; needed an empty database to make it a sandbox'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class AuditRecord(models.Model):
    """An action on a round, money or access, written in the same transaction. Append-only.

    ``id`` is that of its batch plus its position (``compliance.trail.batches``). ``leaf`` is the
    SHA-256 of the record's canonical encoding (``compliance.trail.encoding``), which a changed
    record no longer matches.
    """

    partition_key = "id"

    id = models.UUIDField(primary_key=True, editable=False)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    action = models.CharField(_("what"), max_length=40)
    subject = models.CharField(_("subject"), max_length=120)
    details = CanonicalJSONField(_("details"), default=dict)
    leaf = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("audit record")
        verbose_name_plural = _("audit records")
        indexes = [
            models.Index(fields=["subject", "id"], name="trail_by_subject"),
            models.Index(
                fields=["actor_user_id", "id"],
                name="trail_by_person",
                condition=models.Q(actor_user_id__isnull=False),
            ),
            models.Index(
                fields=["action", "id"],
                name="trail_by_action",
                # Every round writes these two: the newest are found by the primary key, and an
                # index of them would cost every round.
                condition=~models.Q(action="ROUND_RECEIVED") & ~models.Q(action="ROUND_SETTLED"),
            ),
        ]
        triggers = append_only("trail")
        default_permissions = ("view",)


class AuditBatch(models.Model):
    """The records of one transaction: their number, and the Merkle root over their leaves.

    Adding a record to a batch, or removing one, changes the root.
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
    """A batch that is not in the log yet: a work list, written with the batch.

    ``verify_trail`` reports a batch that is neither here nor in the log.
    """

    batch_id = models.UUIDField(primary_key=True, editable=False)

    class Meta:
        verbose_name = _("batch not in the log yet")
        verbose_name_plural = _("batches not in the log yet")
        default_permissions = ()


class PendingRow(models.Model):
    """The digest of an attested row that is not recorded yet: a work list."""

    id = models.BigAutoField(primary_key=True)
    table_name = models.CharField(max_length=64)
    key = models.TextField()
    columns = ArrayField(models.TextField())
    digest = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("row without an audit record yet")
        verbose_name_plural = _("rows without an audit record yet")
        default_permissions = ()


class LogKey(models.Model):
    """A public key that signs tree heads, from ``first_head`` until that of the next key.

    ``endorsement`` is the signature of the previous key over this one. The first key has none and
    must be known from elsewhere.
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
    """A signed head of the log: its size, root and last link after batches were added."""

    sequence = models.BigIntegerField(_("head"), primary_key=True)
    at = models.DateTimeField(_("when"))
    batch_count = models.IntegerField(_("batches added"))
    size = models.BigIntegerField(_("records in the log"))
    root = models.BinaryField(max_length=32)
    chain = models.BinaryField(max_length=32)
    key = models.ForeignKey(LogKey, models.PROTECT, related_name="heads", db_index=False)
    origin = models.CharField(_("origin of the log"), max_length=200, db_default="")
    """The log's name in checkpoints. Empty: the head is no checkpoint."""
    signature = models.BinaryField(max_length=64)

    class Meta:
        verbose_name = _("signed tree head")
        verbose_name_plural = _("signed tree heads")
        triggers = append_only("tree_head")
        indexes = [models.Index(fields=["size"], name="head_by_size")]
        default_permissions = ("view",)


class Cosignature(models.Model):
    """The signature of a witness over a head, as the witness gave it. Append-only.

    It says for itself who signed what. Rows of witnesses that the policy does not name count
    nothing.
    """

    id = models.BigAutoField(primary_key=True)
    """In the order in which they came: the first ones that make a quorum stay the first ones."""
    head = models.ForeignKey(TreeHead, models.PROTECT, related_name="cosignatures", db_index=False)
    witness = models.CharField(_("witness"), max_length=300)
    """The witness's verifier key, ``NAME+ID+KEY``."""
    at = models.DateTimeField(_("when"))
    """By the witness's clock, in whole seconds."""
    signature = models.BinaryField(max_length=64)

    class Meta:
        verbose_name = _("signature of a witness")
        verbose_name_plural = _("signatures of witnesses")
        triggers = append_only("cosignature")
        constraints = [
            models.UniqueConstraint(fields=["witness", "head"], name="cosigned_once_by_each")
        ]
        indexes = [models.Index(fields=["head", "id"], name="cosignatures_of_head")]
        default_permissions = ("view",)


class LoggedBatch(models.Model):
    """The position of a batch in the log: its first record is leaf ``first_leaf``, from 0."""

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

    Every eighth level is stored, so that a proof reads at most 255 leaves or nodes for each level.
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


class LogGap(models.Model):
    """A tail of the log that a restored database has lost, as two persons declared it. Append-only.

    The heads after ``after`` are lost, and with them the records of ``sequence``, the head that the
    key's holder signed last. That head is stored again, and the log is continued from its peaks.
    """

    sequence = models.BigIntegerField(_("last lost head"), primary_key=True)
    after = models.BigIntegerField(_("after head"), unique=True)
    peaks = models.BinaryField(max_length=64 * 32)
    """The hashes of ``WitnessedHead.peaks``, one after the other."""
    proposal_id = models.UUIDField()
    confirmation_id = models.UUIDField()
    """The audit records that declare it, which two persons signed."""

    class Meta:
        verbose_name = _("gap of the log")
        verbose_name_plural = _("gaps of the log")
        triggers = append_only("log_gap")
        default_permissions = ("view",)


class SandboxStart(models.Model):
    """The database is that of a sandbox: when it was made one, and each reset. Append-only.

    A database with audit records becomes no sandbox, and a sandbox nothing else. Only the owner of
    the tables adds rows: the migration that makes the table the first, ``reset_sandbox`` others.
    """

    at = models.DateTimeField()

    class Meta:
        triggers = [
            *append_only("sandbox_start"),
            pgtrigger.Trigger(
                name="sandbox_start_while_empty",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=_ONLY_WHILE_EMPTY,
            ),
        ]
        default_permissions = ()
