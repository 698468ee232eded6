"""The register of sessions."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import COUNTS, MONEY, SESSION
from compliance.exports.registers.register import Register, integer, text, time
from compliance.exports.registers.table_expressions import (
    BOOKED,
    BY_ROUND,
    NUMBERED,
    PLAYED,
    STAGED,
    SUMMED,
    sums_or_nothing,
)

SESSIONS: Final = Register(
    key="sessions",
    version=1,
    row="session",
    title=gettext_noop("Sessions"),
    about="AAMS sessions with stages booked on the day, and the totals of these stages.",
    pgda="session start (400) and session end",
    columns=(
        SESSION,
        text("tables", "codes of its tables, separated by spaces"),
        text("rules", "its rule sets, separated by spaces"),
        time("started_at", "opening of its first stage on any day"),
        time("first_opened_at", "opening of its first stage of the day"),
        time("last_ended_at", "end of its last stage of the day"),
        integer("first_stage", "number of its first stage of the day"),
        integer("last_stage", "number of its last stage of the day"),
        integer("stages", "stages of the day"),
        integer("void_stages", "of which void"),
        integer("participations", "participation rights with stakes in them"),
        *COUNTS,
        *MONEY,
    ),
    tables=(BOOKED, NUMBERED, STAGED, PLAYED, BY_ROUND),
    select=f"""
        WITH summed AS (
            SELECT staged.session, staged.id, staged.table_code, staged.rules, staged.opened_at,
                   staged.ended_at, staged.stage, staged.kind, {sums_or_nothing("by_round")}
              FROM staged LEFT JOIN by_round ON by_round.round_id = staged.id
        ), taking_part AS (
            SELECT session, count(DISTINCT participation) AS participations
              FROM played GROUP BY session
        ), started AS (
            SELECT session, min(opened_at) AS started_at FROM numbered GROUP BY session
        )
        SELECT session, string_agg(DISTINCT table_code, ' ' ORDER BY table_code) AS tables,
               string_agg(DISTINCT rules, ' ' ORDER BY rules) AS rules,
               min(started_at) AS started_at, min(opened_at) AS first_opened_at,
               max(ended_at) AS last_ended_at, min(stage) AS first_stage, max(stage) AS last_stage,
               count(*) AS stages, count(*) FILTER (WHERE kind = 'void') AS void_stages,
               coalesce(min(participations), 0) AS participations, {SUMMED}
          FROM summed JOIN started USING (session) LEFT JOIN taking_part USING (session)
         GROUP BY session
    """,
    order=('line.session COLLATE "C"',),
    clock="first_opened_at",
)
