"""SQL: the audit records of a scope's days, by the Roman calendar day of their time."""

from typing import Final

from compliance.exports.reports.filtered import ROUND_IN_SCOPE

# The id begins with the milliseconds of the time: a range of ids opens only the months it needs.
_FIRST_ID: Final = """
    (lpad(to_hex(greatest(0, extract(epoch FROM {moment}) * 1000)::bigint), 12, '0')
     || repeat('0', 20))::uuid
"""
_MIDNIGHT: Final = "(%({day})s::date::timestamp AT TIME ZONE 'Europe/Rome')"
_AFTER: Final = "((%({day})s::date + 1)::timestamp AT TIME ZONE 'Europe/Rome')"
_BEGINS: Final = _MIDNIGHT.format(day="first_day")
_ENDS: Final = _AFTER.format(day="last_day")

# jsonb has no NUL, which a text from a feed may hold.
DETAILS: Final = r"""
    regexp_replace(record.details, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g')::jsonb
"""
"""The details of ``record``, to be looked into."""

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
    " Days are those of the record's time in Rome. With a filter only what is recorded of rounds"
    " in scope is told; where the table is the only one, also what is recorded of the table."
)
"""How the filters of a scope apply, in words."""


def recorded(actions: str) -> str:
    """``recorded``: the records of the scope of which ``actions``, SQL over ``record``, holds."""
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
    """SQL: the record is of one of these actions."""
    return f"record.action IN ({listed(actions)})"


def listed(words: tuple[str, ...]) -> str:
    """SQL: words of ours, apart by commas."""
    return ", ".join(f"'{one}'" for one in words)
