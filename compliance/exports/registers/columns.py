"""Columns shared by several registers."""

from typing import Final

from compliance.exports.registers.register import Column, cents, integer, text

SESSION: Final = text("session", "AAMS id of the session, assigned by the concessionaire's system")
STAGE: Final = integer("stage", "number of the stage in its session, from 1, without gaps")
ROUND: Final = text("round", "the studio's id of the stage's round", plain=True)
TABLE: Final = text("table", "code of the table")
RULES: Final = text("rules", "rule set under which the round was played", plain=True)

COUNTS: Final[tuple[Column, ...]] = (
    integer("bets", "bets"),
    integer("void_bets", "of which void; their stakes were refunded"),
)
MONEY: Final[tuple[Column, ...]] = (
    cents("staked_cents", "staked in cash, void bets included"),
    cents("open_cents", "of which in unsettled rounds"),
    cents("refunded_cents", "of which refunded for void bets"),
    cents("winnings_cents", "paid in cash to valid bets, stakes included"),
    cents("difference_cents", "taxable difference: staked less open, refunded and winnings"),
    cents("staked_chips_cents", "staked in golden chips, not included in the previous figures"),
    cents("returned_chips_cents", "golden chips returned as chips"),
)
