"""Changes of settlements, rounds and records, each with the differences to report."""

from typing import Final

from tests.payouts.reconciliation.four_rounds import LAST_BATCH, P1, R1, R2, R3
from tests.payouts.reconciliation.tampering_places import DAY, KINDS, NEXT_DAY

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
            f"day_bets: {DAY} · Player",
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
            f"day_bets: {DAY} · Banker",
            f"day_bets: {DAY} · Player",
            f"day_bets: {DAY} · Small",
            f"day_rounds: {DAY}",
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
            *(f"day_bets: {day} · {kind}" for day in (DAY, NEXT_DAY) for kind in KINDS),
            f"day_rounds: {DAY}",
            f"day_rounds: {NEXT_DAY}",
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
        [f"day_rounds: {DAY}"],
    ),
    "a total of bets": (
        ["UPDATE payouts_dailybets SET payout_cents = payout_cents + 1 WHERE kind = 'small'"],
        [f"day_bets: {DAY} · Small"],
    ),
    "a total that is gone": (
        ["DELETE FROM payouts_dailybets WHERE kind = 'small'"],
        [f"day_bets: {DAY} · Small"],
    ),
    "a total of a day without rounds": (
        ["UPDATE payouts_dailyrounds SET day = '2026-11-20'"],
        ["day_rounds: day 2026-11-20 · table bac-1 · baccarat/1", f"day_rounds: {DAY}"],
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
