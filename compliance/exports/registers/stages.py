"""The register of stages (rounds)."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import (
    COUNTS,
    MONEY,
    ROUND,
    RULES,
    SESSION,
    STAGE,
    TABLE,
)
from compliance.exports.registers.register import Register, day, digest, integer, text, time
from compliance.exports.registers.table_expressions import (
    BOOKED,
    BY_ROUND,
    NUMBERED,
    PLAYED,
    STAGED,
    sums_or_nothing,
)

STAGES: Final = Register(
    key="stages",
    version=1,
    row="stage",
    title=gettext_noop("Stages"),
    about="Rounds booked on the day, as numbered stages of their sessions, with the settlement in"
    " force at the end of the day.",
    pgda="stages played",
    columns=(
        SESSION,
        STAGE,
        ROUND,
        TABLE,
        RULES,
        digest("rules_digest", "digest of the rule set at the arrival of the round"),
        day("play_day", "day of its opening; earlier than the booking day for a late round"),
        time("opened_at", "opening"),
        time("closed_at", "end of betting"),
        time("ended_at", "end"),
        text("status", "settled, void, held or waiting", plain=True),
        integer("settlement", "sequence of the settlement in force", optional=True),
        time("settled_at", "time of that settlement", optional=True),
        *COUNTS,
        *MONEY,
    ),
    tables=(BOOKED, NUMBERED, STAGED, PLAYED, BY_ROUND),
    select=f"""
        SELECT staged.session, staged.stage, staged.reference AS round,
               staged.table_code AS "table", staged.rules, staged.rules_digest, staged.play_day,
               staged.opened_at, staged.closed_at, staged.ended_at,
               CASE WHEN staged.kind IS NOT NULL THEN staged.kind
                    WHEN held.round_id IS NOT NULL THEN 'held' ELSE 'waiting' END AS status,
               staged.sequence AS settlement, staged.settled_at, {sums_or_nothing("by_round")}
          FROM staged
          LEFT JOIN by_round ON by_round.round_id = staged.id
          LEFT JOIN rounds_validation AS held
            ON held.round_id = staged.id AND held.sequence = 1 AND held.status = 'held'
    """,
    order=('line.session COLLATE "C"', "line.stage"),
    clock="opened_at",
)
