"""What each audit action is in OCSF, and which of its details are sent.

A detail is sent only if it is named here, and free texts never are: notes and reasons may contain
what customers wrote. A test fails until a new action has its line.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from compliance.siem.ocsf import (
    ACCOUNT,
    API,
    APPLICATION,
    AUTHENTICATION,
    ENTITY,
    FINDING,
    OTHER,
    USER_ACCESS,
    WEB_RESOURCE,
    EventClass,
    Severity,
    Status,
)

INFORMATIONAL, LOW, MEDIUM, HIGH, CRITICAL = Severity
_CASE: Final = ("kind", "step")
_DISPUTE: Final = ("round", "step", "due")
_STUCK: Final = ("kind", "line")
_SETTLED: Final = ("settlement", "kind", "paid", "approved_by")
_BUNDLE: Final = ("step", "manifest")
_EXPORTED: Final = ("of", "kind", "supersedes")
_FOUND: Final = ("lost_heads", "lost_records")


class Kind(NamedTuple):
    """The OCSF class, activity and severity of an action, and the details that are sent."""

    event_class: EventClass
    activity: str = "Other"
    """As OCSF names it; *Other* where it has no name for it."""
    severity: Severity = INFORMATIONAL
    details: tuple[str, ...] = ()
    status: Status = Status.SUCCESS

    @property
    def activity_id(self) -> int:
        """The number of the activity in its class."""
        return self.event_class.activities.get(self.activity, OTHER)


def _failed(event_class: EventClass, activity: str, severity: Severity, *details: str) -> Kind:
    return Kind(event_class, activity, severity, details, Status.FAILURE)


def _entity(activity: str, severity: Severity = INFORMATIONAL, *details: str) -> Kind:
    return Kind(ENTITY, activity, severity, details)


def _account(activity: str, severity: Severity, *details: str) -> Kind:
    return Kind(ACCOUNT, activity, severity, details)


KINDS: Final[Mapping[str, Kind]] = {
    # people and their access
    "LOGGED_IN": Kind(AUTHENTICATION, "Logon", details=("factor", "method")),
    "LOGIN_FAILED": _failed(AUTHENTICATION, "Logon", LOW, "reason", "identity"),
    "LOGGED_OUT": Kind(AUTHENTICATION, "Logoff"),
    "SESSION_ENDED": Kind(AUTHENTICATION, "Logoff", LOW, ("since", "session_address")),
    "IDENTITY_CONFIRMED": Kind(AUTHENTICATION, details=("factor",)),
    "RECOVERY_CODE_USED": Kind(AUTHENTICATION, severity=MEDIUM, details=("left",)),
    "LOCKED_OUT": _account("Lock", HIGH, "reason", "failures", "minutes"),
    "ACCOUNT_UNLOCKED": _account("Unlock", LOW, "failures"),
    "ACCOUNT_CREATED": _account("Create", MEDIUM),
    "ACCOUNT_CHANGED": _account("Other", LOW),
    "ACCOUNT_CLOSED": _account("Disable", MEDIUM),
    "ACCOUNT_REOPENED": _account("Enable", MEDIUM),
    "PASSWORD_CHANGED": _account("Password Change", LOW),
    "PASSWORD_RESET": _account("Password Reset", MEDIUM),
    "RECOVERY_CODES_MADE": _account("Other", LOW, "number"),
    "FACTOR_ADDED": _account("MFA Factor Enable", LOW, "factor"),
    "FACTOR_REMOVED": _account("MFA Factor Disable", MEDIUM, "factor"),
    "FACTORS_RESET": _account("MFA Factor Disable", HIGH, "removed"),
    "IDENTITY_CONNECTED": _account("Other", MEDIUM, "method", "issuer", "identity"),
    "IDENTITY_DISCONNECTED": _account("Other", LOW, "method", "issuer"),
    "ACCESS_REQUESTED": _account("Other", MEDIUM, "kind", "roles_before", "roles_after"),
    "ACCESS_APPROVED": _account("Other", MEDIUM, "kind", "roles_before", "roles_after", "request"),
    "ACCESS_REJECTED": _account("Other", LOW, "kind", "roles_before", "roles_after", "request"),
    "ACCESS_CHANGED": _account("Other", HIGH, "kind", "roles_before", "roles_after"),
    "ACCESS_REDUCED": Kind(
        USER_ACCESS, "Revoke Privileges", MEDIUM, ("roles_before", "roles_after")
    ),
    "DIRECTORY_ROLE_ASKED": _account("Other", LOW, "role"),
    "DIRECTORY_ROLE_WITHDRAWN": _account("Other", LOW, "role"),
    "DIRECTORY_REFUSED": _failed(ACCOUNT, "Other", HIGH),
    "DIRECTORY_ACCOUNT_ADDED": _account("Other", MEDIUM),
    "DIRECTORY_ACCOUNT_RELEASED": _account("Other", MEDIUM),
    "NOTIFICATIONS_CHOSEN": _account("Other", INFORMATIONAL),
    "ROLES_CHANGED": Kind(USER_ACCESS, "Assign Privileges", MEDIUM, ("before", "after")),
    "ADMINISTRATOR_MADE": Kind(USER_ACCESS, "Assign Privileges", HIGH, ("replaces",)),
    "ROLES_GIVEN_ON_HOST": Kind(USER_ACCESS, "Assign Privileges", HIGH, ("roles_after",)),
    # what leaves Sabot on pages
    "PAGE_VIEWED": Kind(WEB_RESOURCE, "Read"),
    "LIST_DOWNLOADED": Kind(WEB_RESOURCE, "Export", LOW, ("list", "format", "rows")),
    "LIST_IMPORTED": Kind(
        WEB_RESOURCE, "Import", LOW, ("list", "digest", "new", "changed", "removed")
    ),
    # programs
    "API_CALLED": Kind(API, "Read", details=("call", "problem", "replayed")),
    "API_REFUSED": _failed(API, "Read", MEDIUM, "call", "problem"),
    "API_KEY_ISSUED": _entity(
        "Create", MEDIUM, "kind", "scopes", "networks", "tables", "expires_at", "issued_by"
    ),
    "API_KEY_ROTATED": _entity("Update", LOW, "secret", "earlier_until"),
    "API_KEY_REVOKED": _entity("Disable", LOW),
    "WEBHOOK_ADDED": _entity("Create", MEDIUM, "key", "types"),
    "WEBHOOK_CHANGED": _entity("Update", MEDIUM, "key"),
    "WEBHOOK_ROTATED": _entity("Update", LOW, "key"),
    "WEBHOOK_REMOVED": _entity("Delete", LOW, "key"),
    "WEBHOOK_PINGED": _entity("Other", INFORMATIONAL, "key"),
    "WEBHOOK_RESEND_ASKED": _entity("Other", INFORMATIONAL, "key", "letter", "event"),
    "WEBHOOK_RESUMED": _entity("Resume", INFORMATIONAL, "key", "seen"),
    "WEBHOOK_STOPPED": _entity("Suspend", LOW, "key", "seen"),
    "WEBHOOK_EVENT_DEAD": _failed(ENTITY, "Other", LOW, "key", "letter", "event"),
    # signatures, and the log itself
    "SIGNING_KEY_REGISTERED": _entity("Enroll", MEDIUM, "key", "account", "kind"),
    "SIGNING_KEY_ROOTED": _entity("Activate", HIGH, "key", "account", "kind"),
    "SIGNING_KEY_APPROVED": _entity("Activate", MEDIUM, "key", "account", "kind", "in_force_from"),
    "SIGNING_KEY_REJECTED": _entity("Unenroll", MEDIUM, "key", "account", "kind"),
    "SIGNING_KEY_REVOKED": _entity("Deactivate", MEDIUM, "key", "account", "kind"),
    "LOG_KEY_APPROVED": _entity("Enroll", HIGH, "key"),
    "LOG_KEY_CHANGED": _entity("Activate", HIGH, "from_head", "before"),
    "LOG_LOSS_FOUND": Kind(FINDING, "Create", CRITICAL, _FOUND),
    "LOG_GAP_PROPOSED": _entity("Other", HIGH, *_FOUND),
    "LOG_GAP_CONFIRMED": _entity("Other", CRITICAL, *_FOUND, "proposal", "proposed_by"),
    "ROWS_KEPT": _entity("Other"),
    "RELEASE_VERIFIED": Kind(APPLICATION, details=("version", "list")),
    "RELEASE_DIFFERS": Kind(FINDING, "Create", CRITICAL, ("version", "list", "count")),
    "SCHEMA_DIFFERS": Kind(FINDING, "Create", CRITICAL, ("count",)),
    "SANDBOX_RESET": _entity("Other", MEDIUM),
    # rule sets, weights, tables and studios
    "RULES_PUT_IN_FORCE": Kind(APPLICATION, "Update", LOW, ("digest", "in_force_from")),
    "RULES_SIGNED": Kind(APPLICATION, "Enable", MEDIUM, ("digest", "in_force_from")),
    "BONUS_WEIGHTS_SET": _entity("Create", LOW, "sha256", "in_force_from"),
    "BONUS_WEIGHTS_APPROVED": _entity("Activate", LOW, "sha256", "in_force_from"),
    "CERTIFICATE_ASKED": _entity("Other"),
    "CERTIFICATE_ISSUED": _entity("Create", INFORMATIONAL, "sha256"),
    "TABLE_REGISTERED": _entity("Create", LOW, "rules"),
    "TABLE_CHANGED": _entity("Update", LOW),
    "TABLE_SUSPENDED": _entity("Suspend", MEDIUM, "sequence"),
    "TABLE_RESUMED": _entity("Resume", LOW, "sequence"),
    "LIMITS_DECIDED": _entity("Update", LOW),
    "STUDIO_KEY_PROPOSED": _entity("Enroll", MEDIUM, "studio", "tables"),
    "STUDIO_KEY_APPROVED": _entity("Activate", MEDIUM, "studio", "tables"),
    "STUDIO_KEY_REVOKED": _entity("Deactivate", MEDIUM, "studio", "tables"),
    "SIGNATURES_REQUIRED": _entity("Enable", LOW, "sequence"),
    "UNSIGNED_ROUNDS_PROPOSED": _entity("Other", HIGH, "sequence"),
    "UNSIGNED_ROUNDS_ALLOWED": _entity("Disable", HIGH, "sequence"),
    "TABLE_IN_ALARM": Kind(
        FINDING, "Create", MEDIUM, ("what", "table", "rules", "kind", "rounds", "case")
    ),
    "TABLES_WATCHED": _entity("Read", INFORMATIONAL, "day", "watches", "in_alarm"),
    # rounds
    "ROUND_RECEIVED": _entity("Create", INFORMATIONAL, "source", "line", "digest", "rules"),
    "SHOE_OPENED": _entity("Create", INFORMATIONAL, "source", "line", "digest"),
    "ROUND_HELD": _entity("Suspend", LOW, "anomalies"),
    "ROUND_REFUSED": _failed(ENTITY, "Other", MEDIUM, "rules", "received_under", "running"),
    "ROUND_CONFLICTED": _failed(ENTITY, "Create", MEDIUM, "source", "line", "digest"),
    "DOCUMENT_QUARANTINED": _failed(ENTITY, "Create", LOW, "line"),
    "FEED_UPLOADED": _entity("Create", LOW, "bytes", "digest"),
    "FEED_INGESTED": _entity("Activate"),
    "FEED_CANCELLED": _entity("Delete", LOW),
    "ROUND_VIDEO_ADDED": _entity("Update"),
    # money
    "ROUND_SETTLED": _entity("Update", INFORMATIONAL, *_SETTLED),
    "ROUND_VOIDED": _entity("Update", MEDIUM, *_SETTLED),
    "ROUND_RESETTLED": _entity("Update", MEDIUM, *_SETTLED),
    "ROUND_RULED": _entity("Update", MEDIUM, *_SETTLED),
    "GOODWILL_CREDITED": _entity("Create", MEDIUM, "amount"),
    "PAID_OVER": _entity("Create", INFORMATIONAL, "amount"),
    # decisions of persons
    "ROUND_IN_CASE": _entity("Other", INFORMATIONAL, "case", "kind"),
    "CASE_OPENED": _entity("Create", LOW, "kind", "rounds", "table"),
    "CASE_EVIDENCE_ADDED": _entity("Update", INFORMATIONAL, "bytes", "sha256"),
    "CASE_PROPOSED": _entity("Update", MEDIUM, *_CASE, "remedy", "amount"),
    "CASE_REFERRED": _entity("Update", LOW, *_CASE),
    "CASE_ALLOWED": _entity("Update", LOW, *_CASE),
    "CASE_REFUSED": _entity("Update", LOW, *_CASE),
    "CASE_APPROVED": _entity("Activate", MEDIUM, *_CASE),
    "CASE_REJECTED": _entity("Update", LOW, *_CASE),
    "CASE_WITHDRAWN": _entity("Delete", LOW, *_CASE),
    "CASE_EXECUTED": _entity("Other", MEDIUM, "done", "nothing", "refused"),
    "CASES_HALTED": Kind(FINDING, "Create", CRITICAL, ("case",)),
    "CASES_RESUMPTION_PROPOSED": _entity("Other", HIGH, "case", "step"),
    "CASES_RESUMED": _entity("Resume", HIGH, "case", "step"),
    "INTEGRITY_CHECK_FAILED": Kind(FINDING, "Create", CRITICAL, ("kind", "count")),
    "SETTLEMENT_RESUMPTION_PROPOSED": _entity("Other", HIGH, "kind", "count", "step"),
    "SETTLEMENT_RESUMED": _entity("Resume", HIGH, "kind", "count", "step"),
    "REASON_ADDED": _entity("Create", LOW, "purpose", "needs_regulator"),
    "REASON_CHANGED": _entity("Update", LOW),
    # disputes
    "ROUND_DISPUTED": _entity("Other", INFORMATIONAL, "dispute"),
    "DISPUTE_OPENED": _entity("Create", INFORMATIONAL, *_DISPUTE, "brought_by", "claimed_cents"),
    "DISPUTE_FOUND": _entity("Read", INFORMATIONAL, "sha256", "agrees"),
    "DISPUTE_EVIDENCE_ADDED": _entity("Update", INFORMATIONAL, "bytes", "sha256"),
    "DISPUTE_EVIDENCE_SHARED": _entity("Read", LOW, "sha256"),
    "DISPUTE_TAKEN": _entity("Update", INFORMATIONAL, *_DISPUTE),
    "DISPUTE_ASKED": _entity("Update", INFORMATIONAL, *_DISPUTE),
    "DISPUTE_ANSWERED": _entity("Update", INFORMATIONAL, *_DISPUTE),
    "DISPUTE_VERDICT_PROPOSED": _entity("Update"),
    "DISPUTE_UPHELD": _entity("Update", LOW, *_DISPUTE, "remedy"),
    "DISPUTE_PARTLY_UPHELD": _entity("Update", LOW, *_DISPUTE, "remedy"),
    "DISPUTE_REJECTED": _entity("Update", LOW, *_DISPUTE),
    "DISPUTE_REMEDY_FAILED": _failed(ENTITY, "Update", LOW, *_DISPUTE, "case"),
    "DISPUTE_CLOSED": _entity("Deactivate", INFORMATIONAL, *_DISPUTE, "case"),
    "DISPUTE_ESCALATED": _entity("Update", LOW, *_DISPUTE, "reference", "day"),
    "DISPUTE_CONFIRMED": _entity("Update", LOW, *_DISPUTE, "reference", "day"),
    "DISPUTE_OVERTURNED": _entity("Update", LOW, *_DISPUTE, "reference", "day"),
    "DISPUTE_REOPENED": _entity("Activate", LOW, *_DISPUTE),
    "DISPUTE_REMINDED": _entity("Other"),
    "DISPUTE_TERM_SET": _entity("Update", LOW, "days", "working_days"),
    "CUSTOMER_NOTE_WRITTEN": _entity("Update"),
    "COMMENT_WRITTEN": _entity("Update"),
    "COMMENT_WITHDRAWN": _entity("Update", LOW),
    # exceptions and the books
    "WORK_ASSIGNED": _entity("Update", INFORMATIONAL, *_STUCK),
    "WORK_RESOLVED": _entity("Deactivate", LOW, *_STUCK),
    "ROUND_RETRIED": _entity("Other", LOW, *_STUCK),
    "TASK_RETRIED": _entity("Other", LOW, *_STUCK),
    "DOCUMENT_RETRIED": _entity("Other", LOW, *_STUCK),
    "RECONCILED": _entity("Read", INFORMATIONAL, "from", "to", "round", "differences"),
    "IMPACT_ANALYSED": _entity("Read", INFORMATIONAL, "reading", "from", "to"),
    "DAY_CLOSED": _entity("Deactivate", INFORMATIONAL, "digest", "reconciliation"),
    "DAY_CLOSED_BY_SIGNATURE": _entity("Deactivate", LOW, "digest", "reconciliation"),
    # for the regulator
    "EXPORT_ASKED": _entity("Other", INFORMATIONAL, "of"),
    "DAY_EXPORTED": _entity("Create", INFORMATIONAL, *_EXPORTED),
    "EXTRACT_EXPORTED": _entity("Create", LOW, *_EXPORTED),
    "BUNDLE_SIGNED": _entity("Update", LOW, *_BUNDLE),
    "BUNDLE_SET_ASIDE": _entity("Disable", LOW, *_BUNDLE),
    "BUNDLE_SENT": _entity("Update", LOW, *_BUNDLE),
    "BUNDLE_RECEIVED": _entity("Update", INFORMATIONAL, *_BUNDLE),
    "BUNDLE_REFUSED": _failed(ENTITY, "Update", LOW, *_BUNDLE),
    "BUNDLE_DOWNLOADED": _entity("Read", LOW, "file"),
    "DOSSIER_ISSUED": _entity("Create", LOW, "dispute", "for"),
    "DOSSIER_SIGNED": _entity("Update"),
    "DOSSIER_DOWNLOADED": _entity("Read", LOW, "form"),
    "VERIFICATION_FILE_MADE": _entity("Create", LOW, "for"),
    "REPLAY_LINK_MADE": _entity("Create", LOW, "for", "expires_at", "token_digest"),
    "REPLAY_LINK_REVOKED": _entity("Disable", LOW, "token_digest"),
    "ARCHIVE_QUERIED": _entity("Read", LOW, "archives"),
    "ARCHIVE_REJUDGED": _entity("Read", INFORMATIONAL, "from", "to", "rounds", "differences"),
    "ARCHIVE_WRITTEN": _entity("Create", LOW, "number", "list_sha256", "files", "rows", "bytes"),
    "MONTH_DETACHED": _entity("Disable", HIGH, "archive", "list_sha256", "rows"),
    "MONTH_RESTORED": _entity("Enable", HIGH, "archive", "list_sha256", "rows"),
    "TAX_RATE_SET": _entity("Update", LOW, "in_force_from", "per_million"),
    "HOLD_PLACED": _entity("Enable", LOW, "first_day", "last_day"),
    "HOLD_LIFTED": _entity("Disable", LOW, "first_day", "last_day"),
}
"""Every audit action."""
