"""The register of participation rights."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import COUNTS, MONEY, SESSION
from compliance.exports.registers.register import Register, integer, text, time
from compliance.exports.registers.table_expressions import BOOKED, NUMBERED, PLAYED, STAGED, SUMS

PARTICIPATIONS: Final = Register(
    key="participations",
    version=1,
    row="participation",
    title=gettext_noop("Participation rights"),
    about="Participation rights with stakes in stages of the day, and their stakes and winnings.",
    pgda="participation right bought (420) and end of participation",
    columns=(
        SESSION,
        text("participation", "AAMS id of the participation right"),
        text("customer", "the operator's pseudonym of the customer"),
        time("first_placed_at", "time of its first bet of the day"),
        time("last_ended_at", "end of its last stage of the day"),
        integer("first_stage", "number of its first stage of the day"),
        integer("last_stage", "number of its last stage of the day"),
        integer("stages", "stages of the day with its stakes"),
        *COUNTS,
        *MONEY,
    ),
    tables=(BOOKED, NUMBERED, STAGED, PLAYED),
    select=f"""
        SELECT played.session, played.participation, customer.pseudonym AS customer,
               min(played.placed_at) AS first_placed_at, max(played.ended_at) AS last_ended_at,
               min(played.stage) AS first_stage, max(played.stage) AS last_stage,
               count(DISTINCT played.round_id) AS stages, {SUMS}
          FROM played JOIN rounds_customer AS customer ON customer.id = played.customer_id
         GROUP BY played.session, played.participation, customer.pseudonym
    """,
    order=(
        'line.session COLLATE "C"',
        'line.participation COLLATE "C"',
        'line.customer COLLATE "C"',
    ),
    clock="first_placed_at",
)
