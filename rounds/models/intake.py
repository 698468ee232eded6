"""The queue of rounds awaiting settlement, and documents that were not accepted."""

from typing import Final

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models.round import Round

LONGEST_SOURCE: Final = 115
"""Characters of the name of a feed: with ``feed:`` before it, the subject of its audit records."""


class QueuedRound(models.Model):
    """A round awaiting validation and settlement.

    The row is inserted with the round and deleted with its settlement, each in one transaction: no
    round is lost or settled twice, even if the broker loses or repeats messages.
    """

    round = models.OneToOneField(Round, models.PROTECT, primary_key=True, db_constraint=False)
    arrival = models.BigIntegerField(unique=True)
    bet_count = models.IntegerField()
    due_at = models.DateTimeField(_("next attempt"))
    attempts = models.IntegerField(_("attempts"), default=0)
    last_error = models.TextField(_("last error"), default="")
    is_from_feed = models.BooleanField(db_default=False)
    """Whether the role of feeds stored it, which does nothing but verify and store.

    Rounds that others stored are compared with what the studio signed before they are settled.
    """

    class Meta:
        verbose_name = _("round awaiting settlement")
        verbose_name_plural = _("rounds awaiting settlement")
        indexes = [
            models.Index(
                fields=["arrival"], name="failed_rounds", condition=models.Q(attempts__gt=0)
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="queued_by_role",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'INSERT' THEN  -- hosts that change accounts are no feed
                        NEW.is_from_feed := NOT has_table_privilege('public.auth_user', 'UPDATE');
                    ELSIF (NEW.round_id, NEW.arrival, NEW.is_from_feed)
                          IS DISTINCT FROM (OLD.round_id, OLD.arrival, OLD.is_from_feed) THEN
                        RAISE EXCEPTION 'round %: who stored it does not change', OLD.round_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        default_permissions = ("view",)


def opens(name: str, table: str, column: str) -> pgtrigger.Trigger:
    """Inserts a row for every new document into the table of open documents.

    A trigger, so that every way of storing a document includes it.
    """
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        func=f"INSERT INTO {table} ({column}) VALUES (NEW.id); RETURN NEW;",
    )


class RefusedDocument(models.Model):
    """A document of a feed that was stored, byte for byte, but not accepted."""

    source = models.CharField(_("source"), max_length=200)
    line = models.IntegerField(_("line"))
    content = models.BinaryField(_("document"))
    digest = models.BinaryField(max_length=32)
    received_at = models.DateTimeField(_("received"))

    class Meta:
        abstract = True
        default_permissions = ("view",)


class QuarantinedDocument(RefusedDocument):
    """An invalid document, with the field, the value found and what is needed."""

    round_reference = models.CharField(_("round"), max_length=64, null=True)
    field = models.CharField(_("field"), max_length=200)
    found = models.TextField(_("value found"))
    needed = models.TextField(_("value needed"))

    class Meta(RefusedDocument.Meta):
        verbose_name = _("quarantined document")
        verbose_name_plural = _("quarantined documents")
        triggers = [
            *append_only("quarantine"),
            attested_rows("quarantine"),
            opens("quarantine_opens", "rounds_openquarantine", "document_id"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["source", "line", "digest"], name="quarantined_once"),
        ]


class ConflictingDocument(RefusedDocument):
    """A document with the id of a stored round and other content; both are kept."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="conflicts")

    class Meta(RefusedDocument.Meta):
        verbose_name = _("conflicting document")
        verbose_name_plural = _("conflicting documents")
        triggers = [
            *append_only("conflict"),
            attested_rows("conflict"),
            opens("conflict_opens", "rounds_openconflict", "conflict_id"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["round", "digest"], name="conflict_kept_once"),
        ]


class OpenQuarantine(models.Model):
    """A quarantined document without a resolution; deleted when there is one.

    Keeps the query for open documents fast, however many are in quarantine.
    """

    document = models.OneToOneField(
        QuarantinedDocument, models.PROTECT, primary_key=True, related_name="open"
    )

    class Meta:
        default_permissions = ()


class OpenConflict(models.Model):
    """A conflicting document without a resolution; deleted when there is one."""

    conflict = models.OneToOneField(
        ConflictingDocument, models.PROTECT, primary_key=True, related_name="open"
    )

    class Meta:
        default_permissions = ()
