"""Whatever a superuser changes behind the triggers' back, reconciling names, and nothing else.

Each tampering is one change to the casino of ``small``; what is expected follows from it by hand.
"""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from django.utils import translation

from payouts.ledger.models import PayOver
from payouts.reconciliation.checks.messages import found_of, needed_of, place_of
from payouts.reconciliation.models import ReconcileDifference
from rounds.models import RoundName
from tests.payouts.reconciliation.five_games import differences, tamper
from tests.payouts.reconciliation.four_rounds import LAST_BATCH, P1, R1, R2, R3, play_small

_STRIPE: Final = re.compile(r"account -[0-9]+ · ")
_RECORD: Final = re.compile(r"(batch|record) [0-9a-f-]{30}([0-9a-f]{6})")
_DAY: Final = "day 2026-11-21 · table bac-1 · baccarat/1"
_NEXT_DAY: Final = "day 2026-11-22 · table bac-1 · baccarat/1"
_KINDS: Final = ("Banker", "Player", "Small")
_P1_CASH: Final = "balance: account 8 · Customer · Cash · p-1"
_HOUSE: Final = "balance: House · Cash"


@pytest.fixture(autouse=True)
def _casino(fresh_casino: str) -> Iterator[None]:
    """The differences are read in English."""
    with translation.override("en"):
        play_small()
        yield


def as_text(found: list[ReconcileDifference]) -> list[str]:
    """Kinds and places.

    The stripe of a shared account is another in each process and left out; a record is told by
    the end of its id, which is its position.
    """
    places = (f"{one.kind}: {place_of(one)}" for one in found)
    return sorted(_RECORD.sub(r"\1 \2", _STRIPE.sub("", place)) for place in places)


class TestAnUntouchedCasino:
    def test_has_no_difference(self) -> None:
        """A settled, a held, a voided and a waiting round, a pay-over, a receivable."""
        assert as_text(differences()) == []


ACCOUNTS: Final = {
    "a customer's balance": (
        [
            (
                f"UPDATE payouts_account SET balance_cents = 1 WHERE kind = 'customer'"
                f" AND customer_id = {P1}"
            )
        ],
        [_P1_CASH, "zero_sum: Cash"],
    ),
    "the house's balance": (
        ["UPDATE payouts_account SET balance_cents = balance_cents - 5 WHERE kind = 'house'"],
        [_HOUSE, "zero_sum: Cash"],
    ),
    "the stakes held": (
        ["UPDATE payouts_account SET balance_cents = 0 WHERE kind = 'stakes_held'"],
        ["balance: Stakes held · Cash", "stakes_held: Cash", "zero_sum: Cash"],
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
        [_P1_CASH, "sign: account 8 · Customer", "zero_sum: Cash"],
    ),
}
TRANSFERS: Final = {
    "a payout that is gone": (
        [f"DELETE FROM payouts_transfer WHERE origin = {R1} AND entry = 1 AND line = 1"],
        [_HOUSE, _P1_CASH, "transfer: round r-1 · entry 1 · bet 0"],
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
        [_HOUSE, _P1_CASH, "transfer: round r-1 · entry 1 · bet 0"],
    ),
    "a payout to somebody else": (
        [f"UPDATE payouts_transfer SET credit_id = 16 WHERE origin = {R1} AND line = 1"],
        [
            _P1_CASH,
            "balance: account 16 · Customer · Cash · p-2",
            "transfer: round r-1 · entry 1 · bet 0",
        ],
    ),
    "stakes never taken": (
        [f"DELETE FROM payouts_transfer WHERE origin = {R2}"],
        [
            "balance: Operator's wallet · Cash",
            "balance: Stakes held · Cash",
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
            _HOUSE,
            _P1_CASH,
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
            _HOUSE,
            _P1_CASH,
            "reversal: round r-3 · entry 1 · line 2 · times taken back: 2",
            "reversal: round r-3 · entry 1 · line 2 · times taken back: 2",
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
            _HOUSE,
            _P1_CASH,
            "reversal: round r-3 · entry 1 · line 2",
            "shortfall: round r-3 · entry 2 · line 6",
        ],
    ),
    "a shortfall of more than was taken": (
        ["UPDATE payouts_transfer SET amount_cents = 1301 WHERE purpose = 'shortfall'"],
        [
            _P1_CASH,
            "balance: account 10 · Owed by the customer · Cash · p-1",
            "shortfall: round r-3 · entry 2 · line 6",
        ],
    ),
    "another amount paid over": (
        ["UPDATE payouts_payover SET cents = cents - 1"],
        ["pay_over: pay-over w-1"],
    ),
}
SETTLEMENTS: Final = {
    "what a bet paid": (
        [
            (
                f"UPDATE payouts_betsettlement SET payout_cents = 1900"
                f" WHERE round_id = {R1} AND bet_number = 0"
            )
        ],
        [
            "bet: round r-1 · settlement 1 · bet 0",
            f"day_bets: {_DAY} · Player",
            "settlement: round r-1 · settlement 1",
        ],
    ),
    "what a bet of a settlement that was replaced paid": (
        [
            (
                f"UPDATE payouts_betsettlement SET payout_cents = 1900"
                f" WHERE round_id = {R3} AND sequence = 1 AND bet_number = 0"
            ),
        ],
        ["bet: round r-3 · settlement 1 · bet 0", "settlement: round r-3 · settlement 1"],
    ),
    "a settlement that was replaced, and its digest": (
        [
            (
                f"UPDATE payouts_betsettlement SET reasons = '{{tie}}'"
                f" WHERE round_id = {R3} AND sequence = 1 AND bet_number = 0"
            ),
            (
                f"UPDATE payouts_settlement SET results_digest = (SELECT sha256(convert_to("
                f"string_agg(concat_ws(E'\\t', bet_number, outcome, payout_cents, chips_cents,"
                f" reasons) || E'\\n', '' ORDER BY bet_number), 'UTF8'))"
                f" FROM payouts_betsettlement WHERE round_id = {R3} AND sequence = 1)"
                f" WHERE round_id = {R3} AND sequence = 1"
            ),
        ],
        ["on_record: round r-3 · settlement 1"],
    ),
    "why a bet paid": (
        [
            (
                f"UPDATE payouts_betsettlement SET reasons = '{{tie}}'"
                f" WHERE round_id = {R1} AND bet_number = 0"
            )
        ],
        ["bet: round r-1 · settlement 1 · bet 0", "settlement: round r-1 · settlement 1"],
    ),
    "what a round paid": (
        [f"UPDATE payouts_settlement SET payout_cents = 2400 WHERE round_id = {R1}"],
        ["on_record: round r-1 · settlement 1", "settlement: round r-1 · settlement 1"],
    ),
    "by which rules it was settled": (
        [f"UPDATE payouts_settlement SET rules_digest = sha256('') WHERE round_id = {R1}"],
        ["on_record: round r-1 · settlement 1", "settlement: round r-1 · settlement 1"],
    ),
    "the digest of the results": (
        [f"UPDATE payouts_settlement SET results_digest = sha256('') WHERE round_id = {R1}"],
        ["on_record: round r-1 · settlement 1", "settlement: round r-1 · settlement 1"],
    ),
    "a settlement that is gone": (
        [f"DELETE FROM payouts_settlement WHERE round_id = {R1}"],
        [
            f"day_bets: {_DAY} · Banker",
            f"day_bets: {_DAY} · Player",
            f"day_bets: {_DAY} · Small",
            f"day_rounds: {_DAY}",
            "on_record: round r-1 · settlement 1",
            "sequence: round r-1 · settlement 1",
            "stakes_held: round r-1",
            "unsettled: round r-1",
        ],
    ),
    "a round that is gone": (
        [
            f"DELETE FROM rounds_bet WHERE round_id = {R2}",
            "DELETE FROM rounds_round WHERE reference = 'r-2'",
        ],
        ["stakes_held: Cash", "unknown: r-2", "unknown: r-2"],
    ),
    "a pay-over that is gone": (
        ["DELETE FROM payouts_payover"],
        ["unknown: w-1"],
    ),
    "the day on which a settlement is booked": (
        [f"UPDATE payouts_settlement SET booked_on = '2026-11-22' WHERE round_id = {R1}"],
        [
            *(f"day_bets: {day} · {kind}" for day in (_DAY, _NEXT_DAY) for kind in _KINDS),
            f"day_rounds: {_DAY}",
            f"day_rounds: {_NEXT_DAY}",
            "on_record: round r-1 · settlement 1",
        ],
    ),
    "the day on which a round is booked": (
        [f"UPDATE rounds_round SET booked_on = '2026-11-22' WHERE id = {R1}"],
        ["on_record: round r-1"],
    ),
    "the day on which a pay-over is booked": (
        ["UPDATE payouts_payover SET booked_on = '2026-11-22'"],
        ["pay_over: pay-over w-1"],
    ),
    "a total of rounds": (
        ["UPDATE payouts_dailyrounds SET rounds = rounds + 1"],
        [f"day_rounds: {_DAY}"],
    ),
    "a total of bets": (
        ["UPDATE payouts_dailybets SET payout_cents = payout_cents + 1 WHERE kind = 'small'"],
        [f"day_bets: {_DAY} · Small"],
    ),
    "a total that is gone": (
        ["DELETE FROM payouts_dailybets WHERE kind = 'small'"],
        [f"day_bets: {_DAY} · Small"],
    ),
    "a total of a day without rounds": (
        ["UPDATE payouts_dailyrounds SET day = '2026-11-20'"],
        ["day_rounds: day 2026-11-20 · table bac-1 · baccarat/1", f"day_rounds: {_DAY}"],
    ),
}
ROUNDS: Final = {
    "a card's suit": (
        [f"UPDATE rounds_round SET cards[1] = 'P 4H' WHERE id = {R1}"],
        ["content: round r-1"],
    ),
    "the hands of Player and Banker": (
        [f"UPDATE rounds_round SET cards = '{{P 7H,B 4S,P TC,B 5D}}' WHERE id = {R1}"],
        [
            "bet: round r-1 · settlement 1 · bet 0",
            "bet: round r-1 · settlement 1 · bet 1",
            "content: round r-1",
            "settlement: round r-1 · settlement 1",
            "transfer: round r-1 · entry 1 · bet 0",
            "transfer: round r-1 · entry 1 · bet 1",
        ],
    ),
    "cards after which the rules hold the round": (
        [f"UPDATE rounds_round SET cards[1] = 'P 7H', cards[2] = 'B 4S' WHERE id = {R1}"],
        ["content: round r-1", "not_by_rules: round r-1 · settlement 1", "verdict: round r-1"],
    ),
    "the card for which a round is held": (
        [f"UPDATE rounds_round SET cards = cards[1:4] WHERE id = {R2}"],
        ["content: round r-2", "unsettled: round r-2", "verdict: round r-2"],
    ),
    "for what a round is held": (
        [f"UPDATE rounds_validation SET anomalies = '{{missing-card}}' WHERE round_id = {R2}"],
        ["on_record: round r-2", "verdict: round r-2"],
    ),
    "a stake": (
        [f"UPDATE rounds_bet SET stake_cents = 1100 WHERE round_id = {R2} AND number = 1"],
        [
            "content: round r-2",
            "stakes_held: Cash",
            "stakes_held: round r-2",
            "transfer: round r-2 · entry 0",
        ],
    ),
    "who made a bet": (
        [f"UPDATE rounds_bet SET customer_id = {P1} WHERE round_id = {R1} AND number = 1"],
        ["content: round r-1"],
    ),
    "the digest of its rules": (
        [f"UPDATE rounds_round SET rules_digest = sha256('') WHERE id = {R1}"],
        ["on_record: round r-1", "rules_changed: round r-1 · baccarat/1"],
    ),
    "facts that nobody can read": (
        [f"UPDATE rounds_round SET multipliers = '[1]' WHERE id = {R1}"],
        ["unreadable: round r-1"],
    ),
    "a place in the queue that is gone": (
        ["DELETE FROM rounds_queuedround"],
        ["queue: round r-4"],
    ),
    "a verdict that is gone": (
        [f"DELETE FROM rounds_validation WHERE round_id = {R1}"],
        ["on_record: round r-1", "queue: round r-1"],
    ),
}
RECORDS: Final = {
    "what a record says": (
        [
            """UPDATE trail_auditrecord SET details = '{"anomalies": []}'
             WHERE action = 'ROUND_HELD'"""
        ],
        ["leaf: batch 000000 · record 000000", "on_record: round r-2"],
    ),
    "who did it": (
        ["UPDATE trail_auditrecord SET actor = 'nobody' WHERE action = 'ROUND_VOIDED'"],
        ["leaf: batch 000000 · record 000000", "on_record: round r-3 · settlement 2"],
    ),
    "a record and its leaf": (
        ["UPDATE trail_auditrecord SET leaf = sha256('') WHERE action = 'ROUND_HELD'"],
        ["leaf: batch 000000 · record 000000", "root: batch 000000"],
    ),
    "a record that is gone": (
        [
            """DELETE FROM trail_auditrecord
             WHERE action = 'ROUND_SETTLED' AND subject = 'round:r-3'"""
        ],
        [
            "on_record: round r-3",
            "on_record: round r-3 · settlement 1",
            "records_missing: batch 000000 · record 000002",
        ],
    ),
    "a batch that is gone": (
        [f"DELETE FROM trail_auditbatch WHERE id = {LAST_BATCH}"],
        ["records_added: batch 000000 · record 000000"],
    ),
    "a batch and its records": (
        [
            f"DELETE FROM trail_auditrecord WHERE id = {LAST_BATCH}",
            f"DELETE FROM trail_auditbatch WHERE id = {LAST_BATCH}",
        ],
        ["on_record: round r-4"],
    ),
    "a root": (
        [f"UPDATE trail_auditbatch SET root = sha256('') WHERE id = {LAST_BATCH}"],
        ["root: batch 000000"],
    ),
    "the time of a batch": (
        [f"UPDATE trail_auditbatch SET at = at + interval '1 second' WHERE id = {LAST_BATCH}"],
        ["batch_time: batch 000000"],
    ),
}
TAMPERINGS: Final = {**ACCOUNTS, **TRANSFERS, **SETTLEMENTS, **ROUNDS, **RECORDS}


class TestATamperedCasino:
    @pytest.mark.parametrize("what", TAMPERINGS)
    def test_is_reported_where(self, what: str) -> None:
        """All that follows from the change, and nothing else."""
        statements, expected = TAMPERINGS[what]
        names = {str(id_): name for id_, name in _names().items()}

        tamper(*statements)
        found = as_text(differences())

        assert [_named(one, names) for one in found] == sorted(expected)


class TestADifference:
    def test_says_what_a_bet_paid_and_should_have(self) -> None:
        """Banker has the better hand after the swap: 19.50 after commission for p-2."""
        statements, _ = ROUNDS["the hands of Player and Banker"]

        tamper(*statements)

        [found] = [one for one in differences() if one.kind == "bet" and one.about["bet"] == 1]
        assert found.found is not None
        assert found.expected is not None
        assert found.found["payout_cents"] == 0
        assert found.expected["payout_cents"] == 1950
        assert found_of(found) == "outcome Lost, paid 0.00, rules lost"
        assert needed_of(found) == "outcome Won, paid 19.50, rules banker"
        assert found.round is not None
        assert found.round.reference == "r-1"

    def test_says_what_a_balance_is_and_should_be(self) -> None:
        """A cent out of nothing; the account is named for a link."""
        statements, _ = ACCOUNTS["a customer's balance"]

        tamper(*statements)

        [found] = [one for one in differences() if one.kind == "balance"]
        assert (found.found, found.expected) == ({"cents": 1}, {"cents": 0})
        assert found.account_id == 8

    def test_says_why_the_rules_hold_a_round(self) -> None:
        """In the words of its page."""
        statements, _ = ROUNDS["cards after which the rules hold the round"]

        tamper(*statements)

        [found] = [one for one in differences() if one.kind == "verdict"]
        assert found_of(found) == "status Validated, anomalies none"
        assert needed_of(found).startswith("status Held, anomalies ")


def _names() -> dict[object, str]:
    """What stands behind the ids of rounds and pay-overs."""
    rounds = RoundName.objects.values_list("round_id", "reference")
    return {**dict(rounds), **dict(PayOver.objects.values_list("id", "reference"))}


def _named(message_of: str, names: dict[str, str]) -> str:
    kind, _, place = message_of.partition(": ")
    return f"{kind}: {names.get(place, place)}"
