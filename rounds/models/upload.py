"""Uploaded feed files and the progress of their ingestion.

Their content is stored in the database, which every worker host reaches, and deleted once it is
ingested; the row with its counts remains.
"""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from rounds.models.signed_batch import SignedBatch

# A person may not release rounds that they uploaded, so the sender must not change.
_sender_stays = pgtrigger.Trigger(
    name="upload_sender_stays",
    operation=pgtrigger.Update | pgtrigger.Delete,
    when=pgtrigger.Before,
    func="""
        IF TG_OP = 'DELETE' THEN
            RAISE EXCEPTION 'upload %: who sent what is never deleted', OLD.id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        IF (NEW.actor, NEW.actor_user_id, NEW.delivery, NEW.uploaded_at)
           IS DISTINCT FROM (OLD.actor, OLD.actor_user_id, OLD.delivery, OLD.uploaded_at)
           OR OLD.source <> '' AND (NEW.source, NEW.digest) <> (OLD.source, OLD.digest) THEN
            RAISE EXCEPTION 'upload %: who sent what is never changed', OLD.id
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    """,
)


class FeedUpload(models.Model):
    """One file. A mutable row: the upload and its documents are recorded in the audit trail.

    ``offset``, ``lines`` and the counts are updated in the transaction that stores the documents up
    to there, so that ingestion resumes at the first line that is not stored.
    """

    name = models.CharField(_("file"), max_length=200)
    source = models.CharField(_("source"), max_length=200)
    """The ``source`` of its documents: the file's name with the first digits of its digest."""
    digest = models.BinaryField(max_length=32)
    size = models.BigIntegerField(_("bytes"))
    uploaded_at = models.DateTimeField(_("uploaded"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    begun_at = models.DateTimeField(_("started"), null=True)
    offset = models.BigIntegerField(default=0)
    lines = models.BigIntegerField(_("lines"), default=0)
    rounds = models.BigIntegerField(_("rounds"), default=0)
    shoes = models.BigIntegerField(_("shoes"), default=0)
    known = models.BigIntegerField(_("known"), default=0)
    conflicts = models.BigIntegerField(_("conflicts"), default=0)
    quarantined = models.BigIntegerField(_("quarantined"), default=0)
    last_error = models.TextField(_("last error"), default="")
    tables = ArrayField(models.CharField(max_length=64), default=list)
    """Codes of the tables whose documents are accepted; empty for all."""
    delivery = models.UUIDField(null=True, unique=True)
    """The id of the job of a program; the answers to its documents are stored."""
    sender = models.CharField(max_length=12, default="")
    """The public part of the API key that sent it."""
    signed_batch = models.ForeignKey(
        SignedBatch, models.PROTECT, null=True, related_name="+", db_index=False
    )
    """The studio's signature of the request that delivered it."""
    signed_batches = models.IntegerField(default=0)
    """How many batches of its file of signatures were verified."""
    signature_fault = models.TextField(default="")
    """Why the lines behind them count as unsigned; empty without a fault."""
    finished_at = models.DateTimeField(_("finished"), null=True)
    """When every line was read, or the upload cancelled."""
    is_cancelled = models.BooleanField(default=False)
    """Whether its sender cancelled it: stored documents stay, the rest was not read."""

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("uploaded feed")
        verbose_name_plural = _("uploaded feeds")
        indexes = [
            models.Index(
                fields=["id"], name="open_uploads", condition=models.Q(finished_at__isnull=True)
            ),
            models.Index(
                fields=["sender", "uploaded_at", "id"],
                name="jobs_of_a_key",
                condition=models.Q(delivery__isnull=False),
            ),
            models.Index(
                fields=["sender", "finished_at", "id"],
                name="jobs_by_end",
                condition=models.Q(delivery__isnull=False, finished_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_cancelled=False) | models.Q(finished_at__isnull=False),
                name="cancelled_upload_is_finished",
            ),
        ]
        triggers = [_sender_stays]
        default_permissions = ("view",)
        permissions = [("upload_feed", "Can upload feed files")]

    @property
    def is_by_hand(self) -> bool:
        """Whether a person uploaded it, not a program with an API key."""
        return self.delivery is None

    @property
    def percent(self) -> int:
        """Progress in whole per cent; 100 only when every line is read."""
        is_read = self.finished_at is not None and not self.is_cancelled
        return 100 if is_read else self.offset * 100 // self.size


class FeedSignatures(models.Model):
    """The file of signatures that was uploaded with a feed, compressed."""

    upload = models.OneToOneField(
        FeedUpload, models.PROTECT, primary_key=True, related_name="signatures"
    )
    content = models.BinaryField()

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("signatures of an uploaded feed")
        verbose_name_plural = _("signatures of uploaded feeds")
        default_permissions = ()


class FeedChunk(models.Model):
    """A compressed chunk of an uploaded file; all but the last have the same size."""

    pk = models.CompositePrimaryKey("upload_id", "number")
    upload = models.ForeignKey(FeedUpload, models.PROTECT, related_name="chunks", db_index=False)
    number = models.IntegerField()
    content = models.BinaryField()

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("part of an uploaded feed")
        verbose_name_plural = _("parts of uploaded feeds")
        default_permissions = ()


class FeedAnswers(models.Model):
    """The answers to the documents of one batch of an upload: compressed JSON lines."""

    pk = models.CompositePrimaryKey("upload_id", "line")
    upload = models.ForeignKey(FeedUpload, models.PROTECT, related_name="answers", db_index=False)
    line = models.BigIntegerField()
    """The first line of the batch."""
    content = models.BinaryField()

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("answers for an uploaded feed")
        verbose_name_plural = _("answers for uploaded feeds")
        default_permissions = ()
