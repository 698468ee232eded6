"""The report of game performance: actual and declared returns."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import RULES, TABLE
from compliance.exports.registers.register import Register, cents, integer, text
from compliance.exports.registers.table_expressions import BOOKED, NUMBERED, PLAYED, STAGED

# Golden chips are the house's money, so they are excluded from returns.
_COUNTS: Final = "outcome <> 'void' AND NOT golden"

GAME_PERFORMANCE: Final = Register(
    key="game_performance",
    version=1,
    row="performance",
    title=gettext_noop("Game performance"),
    about="Totals of the stages by table, rule set and bet kind at the end of the last day, with"
    " the actual and the declared return to player. Returns cover settled cash bets that are not"
    " void, without golden chips.",
    pgda="none: game performance (after GLI-19)",
    columns=(
        text("game", "the game, without its version", plain=True),
        RULES,
        TABLE,
        text("kind", "kind of the bet"),
        integer("rounds", "rounds with such a bet"),
        integer("bets", "bets"),
        integer("void_bets", "of which void; their stakes were refunded"),
        integer("open_bets", "of which in unsettled rounds"),
        integer("golden_bets", "of which staked in golden chips"),
        cents("staked_cents", "staked in cash, void bets included"),
        cents("open_cents", "of which in unsettled rounds"),
        cents("refunded_cents", "of which refunded for void bets"),
        cents("winnings_cents", "paid in cash to valid bets, stakes included"),
        cents("won_cents", "of which in excess of the stakes of winning bets"),
        cents("difference_cents", "gross win: staked less open, refunded and winnings"),
        cents("staked_chips_cents", "staked in golden chips, not included in the previous figures"),
        cents("returned_chips_cents", "golden chips returned as chips"),
        cents("won_by_chips_cents", "of the winnings, those of golden chip bets"),
        cents("return_staked_cents", "staked in the bets of the return"),
        cents("return_paid_cents", "paid to them, stakes included"),
        integer(
            "declared_return", "parts per million; empty if the sheet declares none", optional=True
        ),
        integer(
            "actual_return",
            "paid per million staked, half away from zero; empty without stakes",
            optional=True,
        ),
        integer("return_difference", "actual less declared return", optional=True),
    ),
    tables=(BOOKED, NUMBERED, STAGED, PLAYED),
    select=f"""
        WITH summed AS (
            SELECT split_part(rules, '/', 1) AS game, rules, table_code AS "table", kind,
                   count(DISTINCT round_id) AS rounds, count(*) AS bets,
                   count(*) FILTER (WHERE outcome = 'void') AS void_bets,
                   count(*) FILTER (WHERE outcome IS NULL) AS open_bets,
                   count(*) FILTER (WHERE golden) AS golden_bets,
                   sum(staked_cents)::bigint AS staked_cents,
                   coalesce(sum(staked_cents) FILTER (WHERE outcome IS NULL), 0)::bigint
                       AS open_cents,
                   coalesce(sum(refunded_cents), 0)::bigint AS refunded_cents,
                   coalesce(sum(winnings_cents), 0)::bigint AS winnings_cents,
                   coalesce(sum(winnings_cents - staked_cents) FILTER (WHERE outcome = 'win'),
                            0)::bigint AS won_cents,
                   coalesce(sum(staked_cents - refunded_cents - winnings_cents), 0)::bigint
                       AS difference_cents,
                   sum(staked_chips_cents)::bigint AS staked_chips_cents,
                   coalesce(sum(returned_chips_cents), 0)::bigint AS returned_chips_cents,
                   coalesce(sum(winnings_cents) FILTER (WHERE golden), 0)::bigint
                       AS won_by_chips_cents,
                   coalesce(sum(staked_cents) FILTER (WHERE {_COUNTS}), 0)::bigint
                       AS return_staked_cents,
                   coalesce(sum(winnings_cents) FILTER (WHERE {_COUNTS}), 0)::bigint
                       AS return_paid_cents
              FROM played GROUP BY rules, table_code, kind
        ), returned AS (
            SELECT summed.*,
                   (%(declared_returns)s::jsonb -> rules ->> kind)::bigint AS declared_return,
                   round(return_paid_cents * 1000000.0 / nullif(return_staked_cents, 0))::bigint
                       AS actual_return
              FROM summed
        )
        SELECT returned.*, actual_return - declared_return AS return_difference FROM returned
    """,
    order=('line.rules COLLATE "C"', 'line."table" COLLATE "C"', 'line.kind COLLATE "C"'),
)
