"""The report of alterations: changes of reported data, before and after."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.register import Register, cents, text, time
from compliance.exports.reports.audit_records import DETAILS, FILTERS, one_of, quoted_list, recorded

SETTLED_AGAIN: Final = ("ROUND_VOIDED", "ROUND_RESETTLED", "ROUND_RULED")
OTHERS: Final = (
    "TABLE_CHANGED",
    "LIMITS_DECIDED",
    "REASON_CHANGED",
    "TAX_RATE_SET",
    "ACCOUNT_CREATED",
    "ACCOUNT_CHANGED",
    "ACCOUNT_CLOSED",
    "ACCOUNT_REOPENED",
    "ROLES_CHANGED",
)

# The record has the payout before; the ruling before is in the previous settlement.
_ROUND: Final = """
    jsonb_build_object('settlement', {of} -> 'settlement', 'kind', {of} -> 'kind',
                       'paid', {paid}, 'ruling', {ruling})
"""
# For a customer scope, the payout is computed for this customer only.
_PAID: Final = """
    CASE WHEN %(customer)s::text IS NULL THEN {of} -> 'paid' ELSE (
        SELECT to_jsonb((sum(graded.payout_cents) / 100.0)::numeric(20, 2)::text)
          FROM rounds_roundname AS name
          JOIN payouts_betsettlement AS graded
            ON graded.round_id = name.round_id
           AND graded.sequence = ({of} ->> 'settlement')::int
          JOIN rounds_bet AS bet
            ON bet.round_id = graded.round_id AND bet.number = graded.bet_number
          JOIN rounds_customer AS person ON person.id = bet.customer_id
         WHERE name.reference = substr(recorded.subject, 7) AND person.pseudonym = %(customer)s
    ) END
"""
_RULED_BEFORE: Final = """
    (SELECT ruled.said FROM rounds_roundname AS name
       JOIN rounds_storedruling AS ruled ON ruled.round_id = name.round_id
      WHERE name.reference = substr(recorded.subject, 7)
        AND ruled.sequence = (recorded.details -> 'before' ->> 'settlement')::int)
"""
_BEFORE: Final = "(recorded.details -> 'before')"
_AFTER: Final = "recorded.details"
_ROUND_BEFORE: Final = _ROUND.format(
    of=_BEFORE, paid=_PAID.format(of=_BEFORE), ruling=_RULED_BEFORE
)
_ROUND_AFTER: Final = _ROUND.format(
    of=_AFTER, paid=_PAID.format(of=_AFTER), ruling=f"{_AFTER} -> 'ruling'"
)
# The previous rate in force on the first day of the new one, from earlier records.
_RATE_BEFORE: Final = f"""
    (SELECT earlier.details -> 'per_million'
       FROM (SELECT record.id, {DETAILS} AS details FROM trail_auditrecord AS record
              WHERE record.action = 'TAX_RATE_SET' AND record.subject = recorded.subject
                AND record.id < recorded.id) AS earlier
      WHERE earlier.details ->> 'in_force_from' <= recorded.details ->> 'in_force_from'
      ORDER BY (earlier.details ->> 'in_force_from')::date DESC, earlier.id DESC
      LIMIT 1)
"""
_IS_OPEN: Final = "jsonb_build_object('is_active', recorded.action {sign} 'ACCOUNT_REOPENED')"
_RATE: Final = "jsonb_build_object('per_million', {of})"
_ROLES: Final = "jsonb_build_object('roles', recorded.details -> '{moment}')"
_ALTERED: Final = f"""
    altered AS MATERIALIZED (
        SELECT recorded.*,
               CASE WHEN recorded.action IN ({quoted_list(SETTLED_AGAIN)})
                    THEN {_ROUND_BEFORE}
                    WHEN recorded.action = 'TAX_RATE_SET' THEN {_RATE.format(of=_RATE_BEFORE)}
                    WHEN recorded.action = 'ROLES_CHANGED' THEN {_ROLES.format(moment="before")}
                    WHEN recorded.action IN ('ACCOUNT_CLOSED', 'ACCOUNT_REOPENED')
                    THEN {_IS_OPEN.format(sign="<>")}
                    ELSE coalesce(recorded.details -> 'before', '{{}}') END AS before,
               CASE WHEN recorded.action IN ({quoted_list(SETTLED_AGAIN)})
                    THEN {_ROUND_AFTER}
                    WHEN recorded.action = 'TAX_RATE_SET'
                    THEN {_RATE.format(of="recorded.details -> 'per_million'")}
                    WHEN recorded.action = 'ROLES_CHANGED' THEN {_ROLES.format(moment="after")}
                    WHEN recorded.action IN ('ACCOUNT_CLOSED', 'ACCOUNT_REOPENED')
                    THEN {_IS_OPEN.format(sign="=")}
                    ELSE recorded.details -> 'after' END AS after
          FROM recorded
    )
"""
_CASE: Final = """
    CASE WHEN EXISTS (
             SELECT FROM rounds_roundname AS name
               JOIN payouts_casework AS work ON work.round_id = name.round_id
              WHERE name.reference = substr(change.subject, 7)
                AND work.sequence = (change.details ->> 'settlement')::int)
         THEN split_part(change.details ->> 'reason', ':', 1) END
"""

ALTERATIONS: Final = Register(
    key="alterations",
    version=1,
    row="alteration",
    title=gettext_noop("Alterations"),
    about="Changes of reported data, field by field, before and after: resettled, cancelled and"
    " released rounds (total payout including golden chips; in an extract of one customer, the"
    " payout of that customer), tables, stake limits, reasons, tax rates, user accounts and"
    " roles." + FILTERS,
    pgda="none: alterations of data and of configuration (after GLI-19)",
    columns=(
        time("at", "when"),
        text("action", "audit action", plain=True),
        text("subject", "on what"),
        text("account", "user name, for an account", optional=True),
        text("case", "the case of the decision", optional=True),
        text("field", "changed field"),
        text("before", "previous value; empty if none", optional=True),
        text("after", "new value; empty if none", optional=True),
        cents("before_cents", "the same, for money", optional=True),
        cents("after_cents", "the same, for money", optional=True),
        text("actor", "who"),
        text("approved_by", "who approved, if two persons decided", optional=True),
        text("reason", "why", optional=True),
        text("record", "id of the audit record", plain=True),
    ),
    select=f"""
        WITH {recorded(one_of((*SETTLED_AGAIN, *OTHERS)))}, {_ALTERED}, change AS (
            SELECT altered.*, changed.field, altered.before ->> changed.field AS old_value,
                   altered.after ->> changed.field AS new_value
              FROM altered
             CROSS JOIN LATERAL jsonb_object_keys(altered.before || altered.after)
                AS changed (field)
             WHERE coalesce(altered.before -> changed.field, 'null')
                <> coalesce(altered.after -> changed.field, 'null')
        )
        SELECT change.id, change.at, change.action, change.subject,
               change.details ->> 'account' AS account, {_CASE} AS "case", change.field,
               change.old_value AS before, change.new_value AS after,
               CASE WHEN change.field = 'paid' THEN (change.old_value::numeric * 100)::bigint END
                   AS before_cents,
               CASE WHEN change.field = 'paid' THEN (change.new_value::numeric * 100)::bigint END
                   AS after_cents,
               change.actor, change.details ->> 'approved_by' AS approved_by,
               change.details ->> 'reason' AS reason, change.id::text AS record
          FROM change
    """,
    order=("line.id", 'line.field COLLATE "C"'),
    clock="at",
)
