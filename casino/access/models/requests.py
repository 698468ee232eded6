"""Changes of access: requested by one administrator, decided by another."""

from datetime import UTC
from typing import Any, Final

import pgtrigger
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows

_LONGEST_REASON: Final = 2000

_DIFFERENT_PERSONS: Final = """
    IF EXISTS (
        SELECT FROM casino_accessrequest AS request
         WHERE request.id = NEW.request_id
           AND NEW.decided_by_id IN (request.requested_by_id, request.person_id)) THEN
        RAISE EXCEPTION 'access request %: decided by its requester or the person concerned',
            NEW.request_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


def _person() -> "models.ForeignKey[User, User]":
    return models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")


class AccessRequest(models.Model):
    """A change of a person's access that an administrator requests. Append-only.

    ``sealed_half`` is the requester's half of a one-time password, encrypted; the other half is
    generated and shown on approval, so neither administrator knows the whole.
    """

    class Kind(models.TextChoices):
        """What is changed."""

        CREATE = "create", _("New account")
        ROLES = "roles", _("Role change")
        REOPEN = "reopen", _("Account reopening")
        PASSWORD = "password", _("Password reset")  # a name
        FACTORS = "factors", _("Second factor reset")

    kind = models.CharField(_("request"), max_length=10, choices=Kind.choices)
    person = _person()
    roles_before = ArrayField(models.CharField(max_length=150), default=list)
    roles_after = ArrayField(models.CharField(max_length=150), default=list)
    reason = models.CharField(_("reason"), max_length=_LONGEST_REASON)
    sealed_half = models.TextField(default="")
    requested_by = _person()
    requested_at = models.DateTimeField()

    class Meta:
        verbose_name = _("access request")
        verbose_name_plural = _("access requests")
        default_permissions = ("view",)
        permissions = [
            ("request_access", "Can request a change of somebody's access"),
            ("decide_access", "Can decide what another administrator requested"),
        ]
        triggers = [*append_only("access_request"), attested_rows("access_request")]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(requested_by=models.F("person")),
                name="access_requested_about_another",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="access_has_reason"),
        ]

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text the requester signs: all but the half of a password."""
        return Entry("ACCESS_REQUESTED", f"user:{self.person_id}", self.said)

    @property
    def said(self) -> dict[str, Any]:
        """What both administrators sign: the change, of whose account, and why.

        Accounts are numbers, because names change and not every verifier may read them.
        """
        return {
            "kind": self.kind,
            "account": self.person_id,
            "roles_before": list(self.roles_before),
            "roles_after": list(self.roles_after),
            "reason": self.reason,
        }


class AccessDecision(models.Model):
    """The approval or rejection of a request by a second administrator. Append-only."""

    request = models.OneToOneField(AccessRequest, models.PROTECT, related_name="decision")
    is_approved = models.BooleanField()
    note = models.CharField(max_length=_LONGEST_REASON, blank=True)
    decided_by = _person()
    decided_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        triggers = [
            *append_only("access_decision"),
            attested_rows("access_decision"),
            pgtrigger.Trigger(
                name="access_decided_by_another",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=_DIFFERENT_PERSONS,
            ),
        ]

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text the decider signs: the decision, and the whole request."""
        row = self.request
        details = {
            **row.said,
            "request": row.pk,
            "requested_by": row.requested_by_id,
            "requested_at": row.requested_at.astimezone(UTC).isoformat(),
            "note": self.note,
        }
        action = "ACCESS_APPROVED" if self.is_approved else "ACCESS_REJECTED"
        return Entry(action, f"user:{row.person_id}", details)


class AccessEvent(models.Model):
    """A change of a person's access. Append-only.

    The latest events determine whether a one-time password must be replaced, and when the decision
    delay ends.
    """

    class Kind(models.TextChoices):
        """What changed."""

        ACCOUNT_CREATED = "account_created"
        ACCOUNT_REOPENED = "account_reopened"
        ROLES_CHANGED = "roles_changed"
        PASSWORD_RESET = "password_reset"  # noqa: S105  a name
        PASSWORD_CHANGED = "password_changed"  # noqa: S105  a name
        FACTORS_RESET = "factors_reset"
        FIRST_FACTOR_ADDED = "first_factor_added"

    person = _person()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        triggers = [*append_only("access_event"), attested_rows("access_event")]
        indexes = [models.Index(fields=["person", "-at"], name="access_event_of_person")]


class AccessNotice(models.Model):
    """A notice about a person's access, by e-mail and on *Today* until it is acknowledged.

    ``action`` is that of the audit record. A worker sends rows with an address and no ``sent_at``.
    """

    recipient = _person()
    email = models.EmailField(blank=True)
    action = models.CharField(max_length=50)
    about = _person()
    actor = models.CharField(max_length=301)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(sent_at=None) & ~models.Q(email=""),
                name="access_notice_unsent",
            ),
            models.Index(
                fields=["recipient"],
                condition=models.Q(acknowledged_at=None),
                name="access_notice_unread",
            ),
        ]
