"""Keys with which studios sign what they deliver: proposed by one person, approved by another."""

from datetime import UTC
from typing import Any, Final

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows

KEY_BYTES = 32


class StudioKey(models.Model):
    """An Ed25519 public key that a studio signs with; the steps decide whether it counts."""

    key_id = models.CharField(_("key ID"), max_length=43, unique=True)
    """The RFC 7638 thumbprint of the public key."""
    studio = models.CharField(_("studio"), max_length=100)
    public_key = models.BinaryField(max_length=KEY_BYTES)
    tables = ArrayField(models.CharField(max_length=64), verbose_name=_("tables"))
    """Codes of the tables that it may sign for; at least one."""
    valid_from = models.DateTimeField(_("valid from"))
    valid_until = models.DateTimeField(_("valid until"))
    reason = models.TextField(_("reason"))
    proposed_at = models.DateTimeField(_("proposed"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("studio key")
        verbose_name_plural = _("studio keys")
        triggers = [*append_only("studio_key"), attested_rows("studio_key")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(valid_until__gt=models.F("valid_from")),
                name="studio_key_valid_for_some_time",
            ),
            models.CheckConstraint(
                condition=models.Q(tables__len__gte=1), name="studio_key_of_some_table"
            ),
        ]
        default_permissions = ("view",)
        permissions = [
            ("propose_studio_key", "Can propose studio keys and unsigned rounds"),
            ("approve_studio_key", "Can approve what another person proposed about studio keys"),
            ("revoke_studio_key", "Can revoke studio keys and require signatures"),
        ]

    def __str__(self) -> str:
        return self.key_id

    @property
    def subject(self) -> str:
        """The key as the subject of audit records."""
        return f"studio-key:{self.key_id}"

    @property
    def entry(self) -> Entry:
        """The audit record of its proposal, whose text the proposer signs: all columns."""
        return Entry("STUDIO_KEY_PROPOSED", self.subject, {**self.said, "reason": self.reason})

    @property
    def said(self) -> dict[str, Any]:
        """What both persons sign: whose key it is, for which tables, and when it is valid."""
        return {
            "studio": self.studio,
            "tables": list(self.tables),
            "valid_from": self.valid_from.astimezone(UTC).isoformat(),
            "valid_until": self.valid_until.astimezone(UTC).isoformat(),
            "public_key": bytes(self.public_key).hex(),
        }


class StudioKeyStep(models.Model):
    """The approval or revocation of a key. A revoked key never counts again.

    The database refuses an approval by the person who proposed the key, and every step after a
    revocation. A proposed key that is revoked was rejected.
    """

    class Action(models.TextChoices):
        """What was decided."""

        APPROVED = "approved", _("Approved")
        REVOKED = "revoked", _("Revoked")

    key = models.ForeignKey(StudioKey, models.PROTECT, related_name="steps", db_index=False)
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("note"), default="")
    last_batch = models.BigIntegerField(null=True)
    """Of a revocation: the last batch that the key signed and that was accepted; 0 for none.

    Found when the row is written, and so no part of what the person signs.
    """
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("step of a studio key")
        verbose_name_plural = _("steps of studio keys")
        triggers = [
            *append_only("studio_key_step"),
            attested_rows("studio_key_step"),
            pgtrigger.Trigger(
                name="studio_key_approved_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.action = 'approved' AND EXISTS (
                        SELECT FROM rounds_studiokey AS key
                         WHERE key.id = NEW.key_id
                           AND (key.actor_user_id = NEW.actor_user_id
                                OR lower(key.actor) = lower(NEW.actor))) THEN
                        RAISE EXCEPTION 'studio key %: % proposed it, another has to approve it',
                            NEW.key_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    IF EXISTS (SELECT FROM rounds_studiokeystep AS before
                                WHERE before.key_id = NEW.key_id
                                  AND (before.action = 'revoked'
                                       OR before.action = NEW.action)) THEN
                        RAISE EXCEPTION 'studio key %: revoked, or % already',
                            NEW.key_id, NEW.action USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["key", "sequence"], name="one_studio_key_step"),
            models.CheckConstraint(
                condition=~models.Q(action="revoked")
                | (~models.Q(note="") & models.Q(last_batch__isnull=False)),
                name="studio_key_revoked_for_a_reason",
            ),
        ]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: the decision, and the key as it is."""
        details = {**self.key.said, "step": self.sequence, "note": self.note}
        return Entry(f"STUDIO_KEY_{self.action.upper()}", self.key.subject, details)


class EarlierTable(models.Model):
    """A table from before rounds were signed: it takes unsigned rounds until they are required.

    Append-only. Only a migration adds rows; other tables hold unsigned rounds until two persons
    allow them.
    """

    table = models.OneToOneField("rounds.Table", models.PROTECT, primary_key=True)

    class Meta:
        verbose_name = _("table from before signatures")
        verbose_name_plural = _("tables from before signatures")
        triggers = [
            *append_only("earlier_table"),
            attested_rows("earlier_table", key="table_id"),
        ]
        default_permissions = ()


class SignatureRequirement(models.Model):
    """A step of the setting whether a table takes unsigned rounds; the latest sequence counts.

    Without a step only a table from before signatures takes them. One person may require
    signatures; to allow unsigned rounds, one person proposes and another approves, which the
    database enforces.
    """

    class Action(models.TextChoices):
        """What was decided."""

        REQUIRED = "required", _("Signatures required")
        PROPOSED = "proposed", _("Unsigned rounds proposed")
        ALLOWED = "allowed", _("Unsigned rounds allowed")

    table = models.ForeignKey(
        "rounds.Table", models.PROTECT, related_name="signature_requirements", db_index=False
    )
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("reason"))
    since_arrival = models.BigIntegerField()
    """Rounds with a greater arrival number arrived under this step.

    Made when the row is written, and so no part of what the person signs.
    """
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("signature setting of a table")
        verbose_name_plural = _("signature settings of tables")
        triggers = [
            *append_only("signature_requirement"),
            attested_rows("signature_requirement"),
            pgtrigger.Trigger(
                name="unsigned_allowed_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__action="allowed"),
                func="""
                    IF NOT EXISTS (SELECT FROM rounds_signaturerequirement AS before
                                    WHERE before.table_id = NEW.table_id
                                      AND before.sequence = NEW.sequence - 1
                                      AND before.action = 'proposed'
                                      AND before.actor_user_id <> NEW.actor_user_id
                                      AND lower(before.actor) <> lower(NEW.actor)) THEN
                        RAISE EXCEPTION 'table %: % cannot allow what nobody else proposed',
                            NEW.table_id, NEW.actor USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "sequence"], name="one_signature_requirement_step"
            ),
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1) & ~models.Q(note=""),
                name="signature_requirement_has_reason",
            ),
        ]
        default_permissions = ("view",)

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        details = {"sequence": self.sequence, "note": self.note}
        return Entry(
            _REQUIREMENTS.get(self.action, self.action), f"table:{self.table.code}", details
        )


_REQUIREMENTS: Final[dict[str, str]] = {
    SignatureRequirement.Action.REQUIRED: "SIGNATURES_REQUIRED",
    SignatureRequirement.Action.PROPOSED: "UNSIGNED_ROUNDS_PROPOSED",
    SignatureRequirement.Action.ALLOWED: "UNSIGNED_ROUNDS_ALLOWED",
}
