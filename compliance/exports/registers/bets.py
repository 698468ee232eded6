"""The register of bets."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import ROUND, RULES, SESSION, STAGE, TABLE
from compliance.exports.registers.register import Register, cents, integer, text, time
from compliance.exports.registers.table_expressions import BOOKED, NUMBERED, PLAYED, STAGED

BETS: Final = Register(
    key="bets",
    version=1,
    row="bet",
    title=gettext_noop("Bets"),
    about="The bets of the day's stages, with payout and reasons of the settlement in force.",
    pgda="stages played",
    columns=(
        SESSION,
        STAGE,
        ROUND,
        integer("number", "index of the bet in its round, from 0"),
        text("bet", "the studio's id of the bet"),
        TABLE,
        RULES,
        text("participation", "AAMS id of the participation right"),
        text("customer", "the operator's pseudonym of the customer"),
        text("kind", "kind of the bet", plain=True),
        integer("box", "box, for tables with boxes", optional=True),
        integer("golden", "1 if the stake was golden chips"),
        integer("behind", "1 for a bet behind"),
        time("placed_at", "time of placing"),
        cents("stake_cents", "stake"),
        cents("raised_cents", "raise during the round, always in cash"),
        integer("settlement", "sequence of the settlement in force", optional=True),
        text("outcome", "win, push, lose or void", optional=True, plain=True),
        cents("payout_cents", "paid, stake included", optional=True),
        cents("payout_chips_cents", "of which golden chips", optional=True),
        text("because", "the rules that decided, separated by spaces", optional=True),
    ),
    tables=(BOOKED, NUMBERED, STAGED, PLAYED),
    select="""
        SELECT played.round_id, played.session, played.stage, played.reference AS round,
               played.number, played.bet_reference AS bet, played.table_code AS "table",
               played.rules, played.participation, customer.pseudonym AS customer, played.kind,
               played.box, played.golden::int AS golden, played.behind::int AS behind,
               played.placed_at, played.stake_cents, played.raised_cents,
               CASE WHEN played.outcome IS NOT NULL THEN played.sequence END AS settlement,
               played.outcome,
               played.winnings_cents + played.refunded_cents + played.returned_chips_cents
                   AS payout_cents,
               played.returned_chips_cents AS payout_chips_cents,
               array_to_string(played.reasons, ' ') AS because
          FROM played JOIN rounds_customer AS customer ON customer.id = played.customer_id
    """,
    order=("line.round_id", "line.number"),
    clock="placed_at",
)
