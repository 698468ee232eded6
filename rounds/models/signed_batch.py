"""What studios signed: the signature, the text under it, and the bytes that it covers."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from rounds.models.studio_key import StudioKey


class SignedBatch(models.Model):
    """One verified signature. Its rounds refer to it.

    The bytes are stored as they arrived, so that anybody can verify the rounds against the studio's
    key later. The database refuses a batch of a key that is not approved, is revoked, or is outside
    its validity.
    """

    class Form(models.TextChoices):
        """The standard that the signature follows."""

        HTTP = "http", _("HTTP Message Signature (RFC 9421)")
        LINES = "lines", _("JSON Web Signature of lines (RFC 7515)")

    key = models.ForeignKey(
        StudioKey, models.PROTECT, related_name="batches", verbose_name=_("studio key")
    )
    form = models.CharField(_("form"), max_length=8, choices=Form.choices)
    signed_text = models.BinaryField()
    """Exactly the bytes that were signed; they contain the digest of the content."""
    signature = models.BinaryField(max_length=64, unique=True)
    """Ed25519 is deterministic: the same delivery again has the same signature."""
    content_digest = models.BinaryField(max_length=32)
    """SHA-256 of the content."""
    source = models.CharField(_("source"), max_length=200)
    received_at = models.DateTimeField(_("received"))

    class Meta:
        verbose_name = _("signed batch")
        verbose_name_plural = _("signed batches")
        triggers = [
            *append_only("signed_batch"),
            attested_rows("signed_batch"),
            pgtrigger.Trigger(
                name="signed_batch_by_valid_key",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    -- Waits for a revocation in progress, and makes later ones wait.
                    PERFORM pg_advisory_xact_lock_shared(
                        hashtextextended('studio-key:' || NEW.key_id, 0));
                    IF NOT EXISTS (
                        SELECT FROM rounds_studiokey AS key
                          JOIN rounds_studiokeystep AS step
                            ON step.key_id = key.id AND step.action = 'approved'
                         WHERE key.id = NEW.key_id AND step.at <= NEW.received_at
                           AND key.valid_from <= NEW.received_at
                           AND NEW.received_at < key.valid_until
                           AND NOT EXISTS (SELECT FROM rounds_studiokeystep AS later
                                            WHERE later.key_id = key.id
                                              AND later.action = 'revoked')) THEN
                        RAISE EXCEPTION 'studio key %: not approved, not valid or revoked',
                            NEW.key_id USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        default_permissions = ()

    def __str__(self) -> str:
        return f"S-{self.pk}"


class SignedChunk(models.Model):
    """A compressed part of the content of a signed batch."""

    pk = models.CompositePrimaryKey("batch_id", "number")
    batch = models.ForeignKey(SignedBatch, models.PROTECT, related_name="chunks", db_index=False)
    number = models.IntegerField()
    content = models.BinaryField()

    class Meta:
        verbose_name = _("part of a signed batch")
        verbose_name_plural = _("parts of signed batches")
        triggers = append_only("signed_chunk")
        default_permissions = ()
