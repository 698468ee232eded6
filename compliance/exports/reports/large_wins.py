"""The report of large wins."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import ROUND, RULES, SESSION, STAGE, TABLE
from compliance.exports.registers.register import Register, cents, day, integer, text, time
from compliance.exports.registers.table_expressions import MONEY, NUMBERED
from compliance.exports.reports.scope_filters import DAY_OF_SCOPE, ROUND_IN_SCOPE

# The total payout is an upper bound of one customer's win, and is indexed.
_WON: Final = f"""
    won AS (
        SELECT round.id AS round_id, round.session, round.reference, round.rules,
               round.booked_on AS round_on, dealt_at.code AS table_code,
               settled.sequence, settled.settled_at, settled.booked_on,
               bet.number, bet.reference AS bet_reference, bet.kind COLLATE "C" AS kind,
               bet.customer_id, customer.pseudonym, {MONEY}
          FROM payouts_settlement AS settled
          JOIN rounds_round AS round ON round.id = settled.round_id
          JOIN rounds_table AS dealt_at ON dealt_at.id = round.table_id
          JOIN payouts_betsettlement AS graded
            ON graded.round_id = settled.round_id AND graded.sequence = settled.sequence
           AND graded.outcome = 'win'
          JOIN rounds_bet AS bet
            ON bet.round_id = graded.round_id AND bet.number = graded.bet_number
          JOIN rounds_customer AS customer ON customer.id = bet.customer_id
         WHERE settled.booked_on {DAY_OF_SCOPE}
           AND settled.payout_cents >= %(large_win_cents)s::bigint AND {ROUND_IN_SCOPE}
           AND (%(customer)s::text IS NULL OR customer.pseudonym = %(customer)s)
    )
"""
_LARGE: Final = """
    large AS (
        SELECT 'bet' AS what, won.round_id, won.session, won.reference, won.rules, won.round_on,
               won.table_code, won.sequence, won.settled_at, won.booked_on, won.customer_id,
               won.pseudonym, won.number, won.bet_reference, won.kind AS kinds, 1::bigint AS bets,
               won.staked_cents, won.staked_chips_cents, won.winnings_cents
          FROM won WHERE won.winnings_cents >= %(large_win_cents)s::bigint
         UNION ALL
        SELECT 'round', won.round_id, won.session, won.reference, won.rules, won.round_on,
               won.table_code, won.sequence, won.settled_at, won.booked_on, won.customer_id,
               won.pseudonym, NULL, NULL,
               string_agg(DISTINCT won.kind, ' ' ORDER BY won.kind),
               count(*),
               sum(won.staked_cents)::bigint, sum(won.staked_chips_cents)::bigint,
               sum(won.winnings_cents)::bigint
          FROM won
         GROUP BY won.round_id, won.session, won.reference, won.rules, won.round_on,
               won.table_code, won.sequence, won.settled_at, won.booked_on, won.customer_id,
               won.pseudonym
        HAVING sum(won.winnings_cents) >= %(large_win_cents)s::bigint
    )
"""
_NUMBERED: Final = NUMBERED.replace("FROM booked", "FROM large")

LARGE_WINS: Final = Register(
    key="large_wins",
    version=1,
    row="win",
    title=gettext_noop("Large wins"),
    about="Winning bets paid at least the threshold, and rounds in which the winning bets of one"
    " customer were together paid at least the threshold. Listed for every settlement of the"
    " days that paid it, even if it was corrected later. Cash, stakes included; a returned"
    " stake alone is not a win.",
    pgda="none: large wins (after GLI-19)",
    columns=(
        integer("threshold", "the threshold in cents"),
        text("what", "bet, or round: all winning bets of the customer in the round", plain=True),
        SESSION,
        STAGE,
        ROUND,
        day("round_on", "booking day of the round"),
        TABLE,
        RULES,
        text("customer", "the operator's pseudonym of the customer"),
        integer("number", "index of the bet in its round, from 0", optional=True),
        text("bet", "the studio's id of the bet", optional=True),
        text("kinds", "kind of the bet; for a round all kinds, separated by spaces"),
        integer("bets", "winning bets"),
        cents("staked_cents", "their stakes in cash, raises included"),
        cents("staked_chips_cents", "their stakes in golden chips"),
        cents("winnings_cents", "paid to them in cash, cash stakes included"),
        cents("won_cents", "of which in excess of their cash stakes"),
        integer(
            "multiplier_thousandths",
            "paid per thousand staked, golden chips included; half away from zero",
            optional=True,
        ),
        time("settled_at", "when"),
        day("booked_on", "booking day of the settlement"),
        integer("settlement", "sequence of the paying settlement"),
        integer("corrected", "1 if a later settlement, booked by the last day, replaced it"),
    ),
    select=f"""
        WITH {_WON}, {_LARGE}, {_NUMBERED}
        SELECT large.*, %(large_win_cents)s::bigint AS threshold, numbered.stage,
               large.reference AS round, large.table_code AS "table",
               large.pseudonym AS customer, large.bet_reference AS bet,
               large.sequence AS settlement, large.winnings_cents - large.staked_cents AS won_cents,
               round(large.winnings_cents * 1000.0
                     / nullif(large.staked_cents + large.staked_chips_cents, 0))::bigint
                   AS multiplier_thousandths,
               EXISTS (SELECT FROM payouts_settlement AS later
                        WHERE later.round_id = large.round_id AND later.sequence > large.sequence
                          AND later.booked_on <= %(last_day)s::date)::int AS corrected
          FROM large JOIN numbered ON numbered.id = large.round_id
    """,
    order=(
        'line.session COLLATE "C"',
        "line.stage",
        "line.settlement",
        'line.customer COLLATE "C"',
        'line.what COLLATE "C"',
        "line.number",
    ),
    clock="settled_at",
)
