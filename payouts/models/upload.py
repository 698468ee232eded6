"""Feed files that were uploaded, on a page or by a program, and how far they have been ingested.

Their content lies in the database until it is ingested, because that is where every worker host
reaches it; then it goes away, and the line with its figures stays.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class FeedUpload(models.Model):
    """One file. A state and no fact: its documents are recorded one by one, and it with them.

    ``offset``, ``lines`` and the figures are written in the transaction that stores the documents
    up to there, so that whoever goes on after a stop begins at the first line that is not stored.
    """

    name = models.CharField(_("file"), max_length=200)
    source = models.CharField(_("came from"), max_length=200)
    """The name that every document keeps: the file's, with the beginning of its digest."""
    digest = models.BinaryField(max_length=32)
    size = models.BigIntegerField(_("bytes"))
    uploaded_at = models.DateTimeField(_("uploaded"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    begun_at = models.DateTimeField(_("begun"), null=True)
    offset = models.BigIntegerField(default=0)
    lines = models.BigIntegerField(_("lines"), default=0)
    rounds = models.BigIntegerField(_("rounds"), default=0)
    shoes = models.BigIntegerField(_("shoes"), default=0)
    known = models.BigIntegerField(_("known"), default=0)
    conflicts = models.BigIntegerField(_("conflicts"), default=0)
    quarantined = models.BigIntegerField(_("quarantined"), default=0)
    last_error = models.TextField(_("last error"), default="")
    tables = ArrayField(models.CharField(max_length=64), default=list)
    """Codes of the tables whose documents are taken from it; none for all."""
    delivery = models.UUIDField(null=True, unique=True)
    """The name of the job, where a program sent it: what became of each document is kept then."""
    sender = models.CharField(max_length=12, default="")
    """The API key that sent it, by the part that may be shown."""
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("uploaded feed")
        verbose_name_plural = _("uploaded feeds")
        indexes = [
            models.Index(
                fields=["id"], name="open_uploads", condition=models.Q(finished_at__isnull=True)
            ),
        ]
        default_permissions = ("view",)
        permissions = [("upload_feed", "Can upload feed files")]

    @property
    def percent(self) -> int:
        """Whole percents, 100 only when nothing is left."""
        return self.offset * 100 // self.size if self.finished_at is None else 100


class FeedChunk(models.Model):
    """A piece of an uploaded file, compressed; all but the last are of one size."""

    pk = models.CompositePrimaryKey("upload_id", "number")
    upload = models.ForeignKey(FeedUpload, models.PROTECT, related_name="chunks", db_index=False)
    number = models.IntegerField()
    content = models.BinaryField()

    class Meta:
        verbose_name = _("piece of an uploaded feed")
        verbose_name_plural = _("pieces of uploaded feeds")
        default_permissions = ()


class FeedAnswers(models.Model):
    """What became of the documents of one batch of an uploaded feed: compressed JSON lines."""

    pk = models.CompositePrimaryKey("upload_id", "line")
    upload = models.ForeignKey(FeedUpload, models.PROTECT, related_name="answers", db_index=False)
    line = models.BigIntegerField()
    """The first line that the batch was read from."""
    content = models.BinaryField()

    class Meta:
        verbose_name = _("answers to an uploaded feed")
        verbose_name_plural = _("answers to uploaded feeds")
        default_permissions = ()
