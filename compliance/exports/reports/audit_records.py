"""SQL: the audit records of a scope, by calendar day in Rome."""

from typing import Final

from compliance.exports.reports.scope_filters import ROUND_IN_SCOPE

# Ids start with the time in milliseconds: a range of ids prunes partitions.
_FIRST_ID: Final = """
    (lpad(to_hex(greatest(0, extract(epoch FROM {moment}) * 1000)::bigint), 12, '0')
     || repeat('0', 20))::uuid
"""
_MIDNIGHT: Final = "(%({day})s::date::timestamp AT TIME ZONE 'Europe/Rome')"
_AFTER: Final = "((%({day})s::date + 1)::timestamp AT TIME ZONE 'Europe/Rome')"
_BEGINS: Final = _MIDNIGHT.format(day="first_day")
_ENDS: Final = _AFTER.format(day="last_day")

# jsonb rejects NUL, which texts of a feed may contain.
DETAILS: Final = r"""
    regexp_replace(record.details, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g')::jsonb
"""
"""The details of ``record`` as jsonb."""

_UNFILTERED: Final = """
    coalesce(%(game)s::text, %(table)s::text, %(rules)s::text, %(customer)s::text) IS NULL
"""
_OF_ROUND_IN_SCOPE: Final = f"""
    EXISTS (
        SELECT FROM rounds_roundname AS name
          JOIN rounds_round AS round ON round.id = name.round_id
          JOIN rounds_table AS dealt_at ON dealt_at.id = round.table_id
         WHERE record.subject LIKE 'round:%%' AND name.reference = substr(record.subject, 7)
           AND {ROUND_IN_SCOPE}
           AND (%(customer)s::text IS NULL OR EXISTS (
                SELECT FROM rounds_bet AS bet
                  JOIN rounds_customer AS person ON person.id = bet.customer_id
                 WHERE bet.round_id = round.id AND person.pseudonym = %(customer)s))
    )
"""
_OF_TABLE_IN_SCOPE: Final = """
    (record.subject = 'table:' || %(table)s::text
     AND coalesce(%(game)s::text, %(rules)s::text, %(customer)s::text) IS NULL)
"""
FILTERS: Final = (
    " Days are those of the record's time in Rome. With a filter, only records of rounds in scope"
    " are included; with a table as the only filter, also those of the table."
)
"""Description of the filters, for the reports' ``about``."""


def recorded(actions: str) -> str:
    """CTE ``recorded``: the records of the scope that match ``actions``, SQL over ``record``."""
    return f"""
    recorded AS MATERIALIZED (
        SELECT record.id, record.at, record.actor, record.action, record.subject,
               {DETAILS} AS details
          FROM trail_auditrecord AS record
         WHERE record.id >= {_FIRST_ID.format(moment=_BEGINS)}
           AND record.id < {_FIRST_ID.format(moment=_ENDS)}
           AND ({actions})
           AND ({_UNFILTERED} OR {_OF_ROUND_IN_SCOPE} OR {_OF_TABLE_IN_SCOPE})
    )
    """


def one_of(actions: tuple[str, ...]) -> str:
    """SQL condition: the record has one of these actions."""
    return f"record.action IN ({quoted_list(actions)})"


def quoted_list(words: tuple[str, ...]) -> str:
    """SQL list of constants of this code base."""
    return ", ".join(f"'{word}'" for word in words)
