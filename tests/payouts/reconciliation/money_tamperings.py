"""Changes of accounts, transfers and settlements, each with the differences to report."""

from typing import Final

from tests.payouts.reconciliation.four_rounds import P1, R1, R2, R3
from tests.payouts.reconciliation.tampering_places import HOUSE, P1_CASH

ACCOUNTS: Final = {
    "a customer's balance": (
        [
            (
                f"UPDATE payouts_account SET balance_cents = 1 WHERE kind = 'customer'"
                f" AND customer_id = {P1}"
            )
        ],
        [P1_CASH, "zero_sum: Cash"],
    ),
    "the house's balance": (
        ["UPDATE payouts_account SET balance_cents = balance_cents - 5 WHERE kind = 'house'"],
        [HOUSE, "zero_sum: Cash"],
    ),
    "the stakes held": (
        ["UPDATE payouts_account SET balance_cents = 0 WHERE kind = 'stakes_held'"],
        ["balance: Held stakes · Cash", "stakes_held: Cash", "zero_sum: Cash"],
    ),
    "an account that is gone": (
        ["DELETE FROM payouts_account WHERE kind = 'receivable'"],
        ["balance: account 10", "zero_sum: Cash"],
    ),
    "a customer below nothing": (
        [
            "ALTER TABLE payouts_account DROP CONSTRAINT customers_never_owe_silently",
            (
                f"UPDATE payouts_account SET balance_cents = -1 WHERE kind = 'customer'"
                f" AND customer_id = {P1}"
            ),
        ],
        [P1_CASH, "sign: account 8 · Customer", "zero_sum: Cash"],
    ),
}
TRANSFERS: Final = {
    "a payout that is gone": (
        [f"DELETE FROM payouts_transfer WHERE origin = {R1} AND entry = 1 AND line = 1"],
        [HOUSE, P1_CASH, "transfer: round r-1 · entry 1 · bet 0"],
    ),
    "a payout doubled": (
        [
            (
                f"INSERT INTO payouts_transfer (origin, entry, line, purpose, amount_cents,"
                f" bet_number, posted_at, credit_id, debit_id)"
                f" SELECT origin, entry, 9, purpose, amount_cents, bet_number, posted_at,"
                f" credit_id, debit_id FROM payouts_transfer"
                f" WHERE origin = {R1} AND entry = 1 AND line = 1"
            )
        ],
        [HOUSE, P1_CASH, "transfer: round r-1 · entry 1 · bet 0"],
    ),
    "a payout to somebody else": (
        [f"UPDATE payouts_transfer SET credit_id = 16 WHERE origin = {R1} AND line = 1"],
        [
            P1_CASH,
            "balance: account 16 · Customer · Cash · p-2",
            "transfer: round r-1 · entry 1 · bet 0",
        ],
    ),
    "stakes never taken": (
        [f"DELETE FROM payouts_transfer WHERE origin = {R2}"],
        [
            "balance: Operator's wallet · Cash",
            "balance: Held stakes · Cash",
            "stakes_held: round r-2",
            "transfer: round r-2 · entry 0",
        ],
    ),
    "the time of a posting": (
        [
            (
                f"UPDATE payouts_transfer SET posted_at = posted_at + interval '1 second'"
                f" WHERE origin = {R1} AND entry = 1 AND line = 1"
            )
        ],
        ["posted: round r-1 · entry 1"],
    ),
    "a reversal that is gone": (
        [f"DELETE FROM payouts_transfer WHERE origin = {R3} AND reverses_line = 2"],
        [
            HOUSE,
            P1_CASH,
            "reversal: round r-3 · entry 1 · line 2",
            "shortfall: round r-3 · entry 2 · line 6",
            "transfer: round r-3 · entry 2",
        ],
    ),
    "a reversal doubled": (
        [
            "DROP INDEX transfer_reversed_once",
            (
                f"INSERT INTO payouts_transfer (origin, entry, line, purpose, amount_cents,"
                f" bet_number, reverses_entry, reverses_line, posted_at, credit_id, debit_id)"
                f" SELECT origin, entry, 99, purpose, amount_cents, bet_number, reverses_entry,"
                f" reverses_line, posted_at, credit_id, debit_id FROM payouts_transfer"
                f" WHERE origin = {R3} AND reverses_line = 2"
            ),
        ],
        [
            HOUSE,
            P1_CASH,
            "reversal: round r-3 · entry 1 · line 2 · times reversed: 2",
            "reversal: round r-3 · entry 1 · line 2 · times reversed: 2",
            "transfer: round r-3 · entry 2",
        ],
    ),
    "a reversal of less": (
        [
            (
                f"UPDATE payouts_transfer SET amount_cents = 499"
                f" WHERE origin = {R3} AND reverses_line = 2"
            )
        ],
        [
            HOUSE,
            P1_CASH,
            "reversal: round r-3 · entry 1 · line 2",
            "shortfall: round r-3 · entry 2 · line 6",
        ],
    ),
    "a shortfall of more than was taken": (
        ["UPDATE payouts_transfer SET amount_cents = 1301 WHERE purpose = 'shortfall'"],
        [
            P1_CASH,
            "balance: account 10 · Owed by the customer · Cash · p-1",
            "shortfall: round r-3 · entry 2 · line 6",
        ],
    ),
    "another amount paid over": (
        ["UPDATE payouts_payover SET cents = cents - 1"],
        ["pay_over: pay-over w-1"],
    ),
}
