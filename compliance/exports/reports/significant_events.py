"""The report of significant events, from the audit trail."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.register import Register, text, time
from compliance.exports.reports.audit_records import FILTERS, one_of, quoted_list, recorded

_SETTLED_AGAIN: Final = ("settlement", "kind", "ruling")
_DISPUTED: Final = ("round", "remedy")
_STUCK: Final = ("kind", "line", "failing_since")
_ANSWERED: Final = ("reference", "on_day", "file_name", "sha256")
_EXPORTED: Final = ("day", "game", "of", "kind", "supersedes", "manifest_sha256")

EVENTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "ROUND_HELD": ("anomalies",),
        "ROUND_SETTLED": ("settlement", "kind"),
        "ROUND_VOIDED": _SETTLED_AGAIN,
        "ROUND_RESETTLED": _SETTLED_AGAIN,
        "ROUND_RULED": _SETTLED_AGAIN,
        "ROUND_IN_CASE": ("case", "kind"),
        "CASE_OPENED": ("kind", "rounds", "table", "from", "to"),
        "CASE_PROPOSED": ("kind", "remedy"),
        "CASE_REFERRED": ("kind",),
        "CASE_ALLOWED": ("kind",),
        "CASE_REFUSED": ("kind",),
        "CASE_APPROVED": ("kind",),
        "CASE_REJECTED": ("kind",),
        "CASE_WITHDRAWN": ("kind",),
        "CASE_EXECUTED": ("done", "nothing", "refused"),
        "ROUND_DISPUTED": ("dispute",),
        "DISPUTE_OPENED": ("reason", "brought_by", "claimed_cents"),
        "DISPUTE_UPHELD": _DISPUTED,
        "DISPUTE_PARTLY_UPHELD": _DISPUTED,
        "DISPUTE_REJECTED": ("round",),
        "DISPUTE_REMEDY_FAILED": ("case",),
        "DISPUTE_CLOSED": ("round", "case"),
        "DISPUTE_ESCALATED": ("reference", "day"),
        "DISPUTE_CONFIRMED": ("reference", "day"),
        "DISPUTE_OVERTURNED": ("reference", "day"),
        "DISPUTE_REOPENED": ("round",),
        "DISPUTE_TERM_SET": ("days", "working_days"),
        "GOODWILL_CREDITED": ("customer", "amount"),
        "ROUND_REFUSED": ("rules", "received_under", "running"),
        "ROUND_CONFLICTED": ("source", "line"),
        "DOCUMENT_QUARANTINED": ("line",),
        "FEED_UPLOADED": ("name", "bytes", "digest"),
        "WORK_ASSIGNED": (*_STUCK, "from", "to"),
        "WORK_RESOLVED": _STUCK,
        "ROUND_RETRIED": _STUCK,
        "TASK_RETRIED": _STUCK,
        "DOCUMENT_RETRIED": _STUCK,
        "RECONCILED": ("from", "to", "round", "differences"),
        "DAY_CLOSED": ("digest", "reconciliation"),
        "DAY_CLOSED_BY_SIGNATURE": ("digest", "reconciliation"),
        "DAY_EXPORTED": _EXPORTED,
        "EXTRACT_EXPORTED": _EXPORTED,
        "EXPORT_ASKED": ("of",),
        "BUNDLE_DOWNLOADED": ("file",),
        "DOSSIER_ISSUED": ("dispute", "for"),
        "DOSSIER_DOWNLOADED": ("form",),
        "BUNDLE_SIGNED": (),
        "BUNDLE_SET_ASIDE": (),
        "BUNDLE_SENT": _ANSWERED,
        "BUNDLE_RECEIVED": _ANSWERED,
        "BUNDLE_REFUSED": _ANSWERED,
        "TABLE_REGISTERED": ("name", "rules"),
        "TABLE_CHANGED": ("before", "after"),
        "TABLE_SUSPENDED": ("rounds",),
        "TABLE_RESUMED": ("rounds",),
        "TABLE_IN_ALARM": ("what", "table", "rules", "kind", "rounds", "case"),
        "LIMITS_DECIDED": ("before", "after"),
        "REASON_ADDED": ("purpose", "text_it", "needs_regulator"),
        "REASON_CHANGED": ("before", "after"),
        "LIST_IMPORTED": ("list", "file", "new", "changed", "removed"),
        "TAX_RATE_SET": ("in_force_from", "per_million"),
        "BONUS_WEIGHTS_SET": ("in_force_from", "sha256"),
        "BONUS_WEIGHTS_APPROVED": ("in_force_from", "sha256"),
        "CERTIFICATE_ASKED": (),
        "CERTIFICATE_ISSUED": ("sha256",),
        "RULES_PUT_IN_FORCE": ("digest", "in_force_from"),
        "RULES_SIGNED": ("digest", "in_force_from"),
        "HOLD_PLACED": ("first_day", "last_day"),
        "HOLD_LIFTED": (),
        "SCHEMA_DIFFERS": ("count",),
        "INTEGRITY_CHECK_FAILED": ("kind", "count"),
        "RELEASE_DIFFERS": ("version", "count"),
        "LOG_LOSS_FOUND": ("lost_heads", "lost_records"),
        "LOG_GAP_PROPOSED": ("lost_heads", "lost_records", "reason"),
        "LOG_GAP_CONFIRMED": ("lost_heads", "lost_records", "proposed_by", "reason"),
        "LOG_KEY_APPROVED": ("key",),
        "LOG_KEY_CHANGED": ("from_head", "before"),
        "ACCOUNT_CREATED": ("account",),
        "ACCOUNT_CHANGED": ("account",),
        "ACCOUNT_CLOSED": ("account",),
        "ACCOUNT_REOPENED": ("account",),
        "ROLES_CHANGED": ("account", "before", "after"),
        "PASSWORD_RESET": ("account",),
        "FACTORS_RESET": ("account", "removed"),
        "FACTOR_REMOVED": ("account", "factor"),
        "SESSION_ENDED": ("account", "since"),
        "API_KEY_ISSUED": ("kind", "owner", "scopes", "networks", "expires_at"),
        "API_KEY_ROTATED": ("owner", "secret", "earlier_until"),
        "API_KEY_REVOKED": ("owner",),
        "WEBHOOK_ADDED": ("owner", "url", "types"),
        "WEBHOOK_REMOVED": ("key",),
        "LOCKED_OUT": ("account", "failures", "minutes", "address"),
        "ACCOUNT_UNLOCKED": ("account", "failures"),
    }
)
"""Reported actions, with the details to include."""

_KEYS: Final = ", ".join(
    f"('{action}', ARRAY[{quoted_list(keys)}]::text[])" for action, keys in EVENTS.items()
)
# The JSON encoding of details is canonical, so text patterns are exact.
_REPORTED: Final = f"""
    {one_of(tuple(EVENTS))}
    AND (record.action <> 'ROUND_SETTLED' OR record.details LIKE '%%"kind":"void"%%')
    AND (record.action <> 'RECONCILED' OR record.details NOT LIKE '%%"differences":0,%%')
"""

SIGNIFICANT_EVENTS: Final = Register(
    key="significant_events",
    version=1,
    row="event",
    title=gettext_noop("Significant events"),
    about="Recorded events other than play: held, void and resettled rounds, cases, disputes,"
    " tables, limits, tax rates, closed and exported days, reconciliation differences, the"
    " exceptions queue, manually uploaded feeds, users and their rights, keys. First settlements"
    " are included only if void. Amounts are in the report of alterations." + FILTERS,
    pgda="none: significant events and alterations (after GLI-19)",
    columns=(
        time("at", "when"),
        text("action", "audit action", plain=True),
        text("subject", "on what"),
        text("actor", "who"),
        text("approved_by", "who approved, if two persons decided", optional=True),
        text("reason", "reason or note", optional=True),
        text("details", "other recorded details, shortened", optional=True),
        text("record", "id of the audit record", plain=True),
    ),
    select=f"""
        WITH {recorded(_REPORTED)}, reported (action, keys) AS (VALUES {_KEYS})
        SELECT recorded.id, recorded.at, recorded.action, recorded.subject, recorded.actor,
               recorded.details ->> 'approved_by' AS approved_by,
               nullif(concat_ws(': ',
                   CASE WHEN jsonb_typeof(recorded.details -> 'reason') = 'object'
                        THEN recorded.details -> 'reason' ->> 'code'
                        ELSE nullif(recorded.details ->> 'reason', '') END,
                   nullif(recorded.details ->> 'note', '')), '') AS reason,
               (SELECT string_agg(part.key || ' ' || (recorded.details ->> part.key), '; '
                                  ORDER BY part.place)
                  FROM unnest(reported.keys) WITH ORDINALITY AS part (key, place)
                 WHERE recorded.details ->> part.key <> '') AS details,
               recorded.id::text AS record
          FROM recorded JOIN reported USING (action)
    """,
    order=("line.id",),
    clock="at",
)
