"""Between the feed and the facts: work that waits, documents that could not be taken."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept
from rounds.models.round import Round


class QueuedRound(models.Model):
    """A round that waits to be validated and settled. The row goes away when it is.

    The row is made with the round and deleted with its settlement, each in one transaction, so
    work is neither lost nor done twice, whatever the broker does.
    """

    round = models.OneToOneField(Round, models.PROTECT, primary_key=True, db_constraint=False)
    arrival = models.BigIntegerField(unique=True)
    bet_count = models.IntegerField()
    due_at = models.DateTimeField(_("next try"))
    attempts = models.IntegerField(_("tries"), default=0)
    last_error = models.TextField(_("last error"), default="")

    class Meta:
        verbose_name = _("waiting round")
        verbose_name_plural = _("waiting rounds")
        indexes = [
            models.Index(
                fields=["arrival"], name="failed_rounds", condition=models.Q(attempts__gt=0)
            ),
        ]
        default_permissions = ("view",)


def opens(name: str, table: str, column: str) -> pgtrigger.Trigger:
    """Puts every new document on the table of those that wait for somebody.

    The database does it, so that no way of storing a document can leave it out.
    """
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        func=f"INSERT INTO {table} ({column}) VALUES (NEW.id); RETURN NEW;",  # noqa: S608  our own names
    )


class RefusedDocument(models.Model):
    """A document of a feed that was kept but not taken, byte for byte as it came."""

    source = models.CharField(_("came from"), max_length=200)
    line = models.IntegerField(_("line"))
    content = models.BinaryField(_("document"))
    digest = models.BinaryField(max_length=32)
    received_at = models.DateTimeField(_("received"))

    class Meta:
        abstract = True
        default_permissions = ("view",)


class QuarantinedDocument(RefusedDocument):
    """A document that cannot be taken, with the field, what was found and what was needed."""

    round_reference = models.CharField(_("round"), max_length=64, null=True)
    field = models.CharField(_("field"), max_length=200)
    found = models.TextField(_("found"))
    needed = models.TextField(_("needed"))

    class Meta(RefusedDocument.Meta):
        verbose_name = _("quarantined document")
        verbose_name_plural = _("quarantined documents")
        triggers = [
            *append_only("quarantine"),
            kept("quarantine"),
            opens("quarantine_opens", "rounds_openquarantine", "document_id"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["source", "line", "digest"], name="quarantined_once"),
        ]


class ConflictingDocument(RefusedDocument):
    """A document that gives the id of a stored round to other content; both are kept."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="conflicts")

    class Meta(RefusedDocument.Meta):
        verbose_name = _("conflicting document")
        verbose_name_plural = _("conflicting documents")
        triggers = [
            *append_only("conflict"),
            kept("conflict"),
            opens("conflict_opens", "rounds_openconflict", "conflict_id"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["round", "digest"], name="conflict_kept_once"),
        ]


class OpenQuarantine(models.Model):
    """That nobody has dealt with a quarantined document yet; it goes away when somebody has.

    What is open is found here, however many documents lie in quarantine for years.
    """

    document = models.OneToOneField(
        QuarantinedDocument, models.PROTECT, primary_key=True, related_name="open"
    )

    class Meta:
        default_permissions = ()


class OpenConflict(models.Model):
    """That nobody has dealt with a conflicting document yet; it goes away when somebody has."""

    conflict = models.OneToOneField(
        ConflictingDocument, models.PROTECT, primary_key=True, related_name="open"
    )

    class Meta:
        default_permissions = ()
