"""Signing keys of persons, what was decided about them, and signatures of decisions."""

from typing import Any, Final

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.signatures.assertions import PublicKey
from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows

_SHORT: Final = 16
_APPROVED_BY_ANOTHER: Final = """
    IF EXISTS (SELECT FROM signatures_signingkey AS key
                WHERE key.id = NEW.key_id
                  AND (key.person_id = NEW.actor_user_id
                       OR lower(key.person_name) = lower(NEW.actor))) THEN
        RAISE EXCEPTION 'signing key %: % holds it, another has to approve it',
            NEW.key_id, NEW.actor USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (SELECT FROM signatures_signingkeystep AS before
                WHERE before.key_id = NEW.key_id AND before.action = 'approved'
                  AND (before.actor_user_id = NEW.actor_user_id
                       OR lower(before.actor) = lower(NEW.actor))) THEN
        RAISE EXCEPTION 'signing key %: % approved it already, another has to approve it',
            NEW.key_id, NEW.actor USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class SigningKey(models.Model):
    """A public key whose private part a person's authenticator or browser holds. Append-only.

    It signs nothing before two other persons have approved it.
    """

    id = models.CharField(_("key"), primary_key=True, max_length=64)
    """SHA-256 of the public key, in hexadecimal."""
    person_id = models.BigIntegerField()
    person_name = models.CharField(_("person"), max_length=200)
    label = models.CharField(_("name"), max_length=60)
    site = models.CharField(_("site"), max_length=253)
    credential_id = models.BinaryField(max_length=1023)
    public_key = models.BinaryField(max_length=2048)
    """COSE (RFC 9052)."""
    is_software = models.BooleanField(default=False)
    """Whether a demo holds the private key in a file. No other installation accepts it."""
    is_browser = models.BooleanField(default=False)
    """Whether a browser made it by WebCrypto and keeps it. It proves no PIN and no touch."""
    registered_at = models.DateTimeField(_("registered"))

    class Meta:
        verbose_name = _("signing key")
        verbose_name_plural = _("signing keys")
        triggers = [*append_only("signing_key"), attested_rows("signing_key")]
        indexes = [models.Index(fields=["person_id"], name="signing_keys_of_person")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_software=False) | models.Q(is_browser=False),
                name="signing_key_of_one_kind",
            )
        ]
        default_permissions = ("view",)
        permissions = [
            ("decide_signing_key", "Can approve and revoke signing keys"),
            ("approve_log_key", "Can approve keys of the audit log"),
            ("propose_log_gap", "Can propose to declare records of the audit log lost"),
            ("confirm_log_gap", "Can confirm that records of the audit log are lost"),
            ("sign_rules", "Can sign rule sets in force"),
        ]

    @property
    def short_id(self) -> str:
        """The first sixteen digits of the id, as pages and records show it."""
        return self.id[:_SHORT]

    @property
    def subject(self) -> str:
        """The key as the subject of audit records."""
        return f"signing-key:{self.short_id}"

    @property
    def public(self) -> PublicKey:
        """The key as signatures are verified with it."""
        return PublicKey(bytes(self.public_key), self.site, self.is_browser)

    @property
    def details(self) -> dict[str, Any]:
        """The key in audit records. Those of keys in browsers name the kind: it is approved, too.

        Those of other keys do not, so that the texts that approved them before stay the same.
        """
        kind = {"kind": "browser"} if self.is_browser else {}
        return {"key": self.id, "account": self.person_id, "person": self.person_name, **kind}


class SigningKeyStep(models.Model):
    """What was decided about a signing key. The latest gives its status. Append-only."""

    class Action(models.TextChoices):
        """What was decided."""

        ROOTED = "rooted", _("Approved on the host")
        APPROVED = "approved", _("Approved")
        REJECTED = "rejected", _("Rejected")
        REVOKED = "revoked", _("Revoked")

    pk = models.CompositePrimaryKey("key_id", "sequence")
    key = models.ForeignKey(SigningKey, models.PROTECT, related_name="steps", db_index=False)
    sequence = models.IntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("note"), default="")
    in_force_from = models.DateTimeField(_("in force from"), null=True)
    """Of an approval: from when the key signs."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("step of a signing key")
        verbose_name_plural = _("steps of a signing key")
        triggers = [
            *append_only("signing_key_step"),
            attested_rows("signing_key_step", key="key_id,sequence"),
            pgtrigger.Trigger(
                name="signing_key_approved_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__action="approved"),
                func=_APPROVED_BY_ANOTHER,
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1), name="signing_key_steps_count_from_one"
            ),
            models.CheckConstraint(
                condition=models.Q(action="rooted") | models.Q(actor_user_id__isnull=False),
                name="signing_key_decided_by_person",
            ),
        ]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs."""
        key, details = self.key, self.key.details
        if self.note:
            details["note"] = self.note
        if self.in_force_from is not None:
            details["in_force_from"] = self.in_force_from.isoformat()
        return Entry(
            f"SIGNING_KEY_{self.action.upper()}", key.subject, {**details, "name": key.label}
        )


class DecisionSignature(models.Model):
    """A person's signature of an audit record: the assertion of their key. Append-only."""

    record_id = models.UUIDField(primary_key=True)
    """The audit record, whose canonical text was signed."""
    signed_with = ArrayField(models.UUIDField(), default=list)
    """All records of the same action, in the order in which their texts were signed together."""
    key = models.ForeignKey(SigningKey, models.PROTECT, related_name="+", db_index=False)
    authenticator_data = models.BinaryField(max_length=1024)
    client_data = models.BinaryField(max_length=4096)
    signature = models.BinaryField(max_length=1024)

    class Meta:
        verbose_name = _("signature of a decision")
        verbose_name_plural = _("signatures of decisions")
        triggers = append_only("decision_signature")
        default_permissions = ()


class EarlierDecision(models.Model):
    """The audit record of a decision from before such decisions were signed. Append-only.

    Only migrations add rows; the verification counts them instead of requiring a signature.
    """

    record_id = models.UUIDField(primary_key=True)

    class Meta:
        verbose_name = _("decision from before signatures")
        verbose_name_plural = _("decisions from before signatures")
        triggers = [
            *append_only("earlier_decision"),
            attested_rows("earlier_decision", key="record_id"),
        ]
        default_permissions = ()
