"""The register of malfunctions and voids."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import ROUND, SESSION, STAGE, TABLE
from compliance.exports.registers.register import Register, cents, integer, text, time
from compliance.exports.registers.table_expressions import (
    BOOKED,
    CHANGED,
    NUMBERED,
    NUMBERED_CHANGED,
    OF_CUSTOMER,
    STAGED,
)

_DECIDED: Final = """
    decided AS (
        SELECT id AS round_id, session, stage, reference, table_code, sequence, kind, settled_at
          FROM staged WHERE sequence IS NOT NULL
         UNION ALL
        SELECT changed.round_id, changed.session, renumbered.stage, changed.reference,
               dealt_at.code, changed.sequence, changed.kind, changed.settled_at
          FROM changed
          JOIN renumbered ON renumbered.id = changed.round_id
          JOIN rounds_table AS dealt_at ON dealt_at.id = changed.table_id
         WHERE changed.round_on < %(first_day)s
    )
"""
_REFUNDS: Final = f"""
    refunds AS (
        SELECT decided.round_id, decided.sequence, count(*) AS bets,
               sum(graded.payout_cents - graded.chips_cents)::bigint AS refunded_cents,
               sum(graded.chips_cents)::bigint AS refunded_chips_cents,
               string_agg(DISTINCT why.reason, ' ' ORDER BY why.reason) AS reasons
          FROM decided
          JOIN payouts_betsettlement AS graded
            ON graded.round_id = decided.round_id AND graded.sequence = decided.sequence
           AND graded.outcome = 'void'
          JOIN rounds_bet AS bet ON bet.round_id = graded.round_id
           AND bet.number = graded.bet_number AND {OF_CUSTOMER}
         CROSS JOIN LATERAL (
               SELECT array_to_string(graded.reasons, ' ') COLLATE "C" AS reason) AS why
         GROUP BY decided.round_id, decided.sequence
    )
"""

MALFUNCTIONS: Final = Register(
    key="malfunctions",
    version=1,
    row="event",
    title=gettext_noop("Malfunctions and voids"),
    about="Rounds with a malfunction declared by the studio, rounds held because they did not"
    " comply with their sheet, void rounds, and void bets of valid rounds, each with its reason.",
    pgda="stages played: void and interrupted",
    columns=(
        SESSION,
        STAGE,
        ROUND,
        TABLE,
        text("event", "malfunction, held, void or void-bets", plain=True),
        time("at", "time of detection"),
        integer("settlement", "the settlement, for void and void-bets", optional=True),
        integer("bets", "void bets"),
        cents("refunded_cents", "cash refunded for them"),
        cents("refunded_chips_cents", "golden chips returned for them"),
        text(
            "reason",
            "anomalies of a held round; for voids, the reason given or the rules",
            optional=True,
        ),
        text("actor", "who"),
        text("approved_by", "who approved, if two persons decided", optional=True),
    ),
    tables=(BOOKED, NUMBERED, STAGED, CHANGED, NUMBERED_CHANGED),
    select=f"""
        WITH {_DECIDED}, {_REFUNDS}, events AS (
            SELECT session, stage, reference, table_code, 'malfunction' AS event, ended_at AS at,
                   NULL::smallint AS settlement, 0 AS bets, 0 AS refunded_cents,
                   0 AS refunded_chips_cents, NULL AS reason, 'studio' AS actor,
                   NULL AS approved_by
              FROM staged WHERE malfunction
             UNION ALL
            SELECT session, stage, reference, table_code, 'held', held.validated_at, NULL, 0, 0, 0,
                   array_to_string(held.anomalies, ' '), held.actor, NULL
              FROM staged
              JOIN rounds_validation AS held ON held.round_id = staged.id AND held.sequence = 1
             WHERE held.status = 'held'
             UNION ALL
            SELECT session, stage, reference, table_code,
                   CASE WHEN decided.kind = 'void' THEN 'void' ELSE 'void-bets' END,
                   decided.settled_at, decided.sequence, coalesce(refunds.bets, 0),
                   coalesce(refunds.refunded_cents, 0),
                   coalesce(refunds.refunded_chips_cents, 0),
                   coalesce(nullif(settled.reason, ''), refunds.reasons), settled.actor,
                   settled.approved_by
              FROM decided
              JOIN payouts_settlement AS settled
                ON settled.round_id = decided.round_id AND settled.sequence = decided.sequence
              LEFT JOIN refunds
                ON refunds.round_id = decided.round_id AND refunds.sequence = decided.sequence
             WHERE decided.kind = 'void' OR refunds.bets > 0
        )
        SELECT session, stage, reference AS round, table_code AS "table", event, at, settlement,
               bets, refunded_cents, refunded_chips_cents, reason, actor, approved_by
          FROM events
    """,
    order=(
        'line.session COLLATE "C"',
        "line.stage",
        'line.event COLLATE "C"',
        "line.settlement",
    ),
    clock="at",
)
