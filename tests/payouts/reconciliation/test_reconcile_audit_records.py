"""Reconciliation compares facts that no rule computes with the audit records, in words.

Each tampering is one change to the casino of ``four_rounds``; the expected messages follow by hand.
"""

from typing import Final

import pytest

from payouts.reconciliation.checks.messages import difference_message
from tests.payouts.reconciliation.five_games import differences, tamper
from tests.payouts.reconciliation.four_rounds import R1, R2, R3

pytestmark = pytest.mark.usefixtures("small_casino")

_R1: Final = "Round and audit records, round r-1"
_R2: Final = "Round and audit records, round r-2"
_VOID: Final = "Round and audit records, round r-3 · settlement 2"
_ROUND: Final = "UPDATE rounds_round SET {0} WHERE id = " + R1
_VERDICT: Final = "UPDATE rounds_validation SET {0} WHERE round_id = " + R2
_VOIDING: Final = "UPDATE payouts_settlement SET {0} WHERE sequence = 2 AND round_id = " + R3
_LINE: Final = "UPDATE payouts_transfer SET line = 9 WHERE entry = 2 AND line = 0 AND origin = "
_PLACED: Final = "UPDATE rounds_bet SET placed_at = placed_at + interval '1 microsecond' WHERE "
_NAME: Final = "INSERT INTO rounds_roundname (reference, round_id, digest) SELECT 'r-9', "
_UNKNOWN: Final = "Rows of an unknown round, {0}: found rows {1}"


def difference_messages() -> list[str]:
    """The messages of the differences."""
    return [difference_message(difference) for difference in differences()]


DIFFERENCE_CASES: Final = {
    "whence a round came": (
        _ROUND.format("source = 'elsewhere'"),
        f"{_R1}: found source elsewhere; needed source feed.ndjson",
    ),
    "when a round came": (
        _ROUND.format("received_at = received_at + interval '1 second'"),
        f"{_R1}: found when 2026-11-21T22:00:01+00:00; needed when 2026-11-21T22:00:00+00:00",
    ),
    "the number of an arrival": (
        _ROUND.format("arrival = arrival + 100"),
        f"{_R1}: found digest of the inputs ",
    ),
    "the limits that were in force": (
        _ROUND.format("limit_set_id = 1"),
        f"{_R1}: found digest of the inputs ",
    ),
    "which round has a name": (
        f"UPDATE rounds_roundname SET digest = sha256('') WHERE round_id = {R1}",
        f"{_R1}: found digest e3b0·c442·98fc; needed digest ",
    ),
    "who decided": (
        _VOIDING.format("actor = 'nobody'"),
        f"{_VOID}: found who nobody; needed who Giulia Marchetti",
    ),
    "who approved": (
        _VOIDING.format("approved_by = 'nobody'"),
        f"{_VOID}: found approved by nobody; needed approved by Lorenzo Ferri",
    ),
    "why it was decided": (
        _VOIDING.format("reason = 'none'"),
        f"{_VOID}: found reason none; needed reason the shoe was seen before the round",
    ),
    "who had a round judged": (
        _VERDICT.format("actor = 'nobody'"),
        f"{_R2}: found who nobody; needed who settlement worker",
    ),
    "the number of a verdict": (
        _VERDICT.format("sequence = 3"),
        f"{_R2}: found outcome number 3; needed outcome number 1",
    ),
    "the number of a transfer": (
        f"{_LINE}{R3}",
        "Transfer, round r-3 · entry 2: found first line 1, last line 9; needed first line 0, ",
    ),
    "a time in a unit that no feed has": (
        f"{_PLACED} number = 0 AND round_id = {R1}",
        (
            "Facts of the round, round r-1: found rewritten as received no; needed rewritten as"
            " received yes"
        ),
    ),
    "a name of no round": (
        f"{_NAME} round_id, digest FROM rounds_roundname WHERE reference = 'r-1'",
        _UNKNOWN.format("r-9", "names"),
    ),
    "a customer who never bet": (
        "INSERT INTO rounds_customer (pseudonym) VALUES ('p-9')",
        _UNKNOWN.format("p-9", "customers"),
    ),
}


@pytest.mark.parametrize("name", DIFFERENCE_CASES)
def test_a_change_is_reported_in_words(name: str) -> None:
    """What was found and what was needed."""
    statement, expected = DIFFERENCE_CASES[name]

    tamper(statement)

    assert [words for words in difference_messages() if words.startswith(expected)] != []
