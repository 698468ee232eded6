"""Columns shared by several registers."""

from typing import Final

from compliance.exports.registers.register import Column, cents, integer, text

SESSION: Final = text("session", "AAMS id of the session, as the concessionaire's system gave it")
STAGE: Final = integer("stage", "number of the stage in its session, from 1, without a gap")
ROUND: Final = text("round", "the studio's id of the round that the stage is", plain=True)
TABLE: Final = text("table", "code of the table")
RULES: Final = text("rules", "rule set under which the round was played", plain=True)

COUNTS: Final[tuple[Column, ...]] = (
    integer("bets", "bets"),
    integer("void_bets", "of which void: they never counted, their stakes went back"),
)
MONEY: Final[tuple[Column, ...]] = (
    cents("staked_cents", "staked in cash, void bets included"),
    cents("open_cents", "of which in rounds that are not settled yet"),
    cents("refunded_cents", "of which given back because the bets were void"),
    cents("winnings_cents", "paid in cash to bets that counted, their stakes included"),
    cents("difference_cents", "taxable difference: staked less open, refunded and winnings"),
    cents("staked_chips_cents", "staked in golden chips, in none of the figures before"),
    cents("returned_chips_cents", "golden chips given back as chips"),
)
