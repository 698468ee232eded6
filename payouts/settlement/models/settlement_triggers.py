"""Triggers that check a settlement against its bets and transfers.

They replace foreign keys and checks per bet, which would cost more than the rest of a settlement.
They run when the settlement is inserted, which is therefore the last insert. Each table is read
once by an index range: without statistics PostgreSQL underestimates large rounds and would choose
nested loops.

A further settlement must follow the previous one and reverse each of its transfers once. A
shortfall leaves a balance of zero.
"""

from typing import Final

import pgtrigger

# Accounts of customers: eight ids each, the first for cash, the second for golden chips.
_SUMS: Final = """
    SELECT count(*) AS lines, count(bet.number) AS bets, count(graded.bet_number) AS graded,
           count(*) FILTER (
               WHERE coalesce(moved.cash, 0) = graded.payout_cents - graded.chips_cents
                 AND coalesce(moved.chips, 0) = graded.chips_cents
                 AND (moved.cents IS NULL OR moved.cents = graded.payout_cents
                      AND moved.first = bet.customer_id AND moved.last = bet.customer_id)
           ) AS fitting,
           coalesce(sum(bet.stake_cents + bet.raised_cents), 0) AS staked,
           coalesce(sum(graded.payout_cents), 0) AS paid,
           coalesce(sum(graded.chips_cents), 0) AS chips
      FROM (SELECT number, customer_id, stake_cents, raised_cents
              FROM rounds_bet WHERE round_id = settled.round_id) AS bet
      FULL JOIN (SELECT bet_number, payout_cents, chips_cents FROM payouts_betsettlement
                  WHERE round_id = settled.round_id AND sequence = settled.sequence) AS graded
        ON graded.bet_number = bet.number
      FULL JOIN (SELECT bet_number, sum(amount_cents) AS cents,
                        sum(amount_cents) FILTER (WHERE credit_id & 7 = 0) AS cash,
                        sum(amount_cents) FILTER (WHERE credit_id & 7 = 1) AS chips,
                        min(credit_id >> 3) AS first, max(credit_id >> 3) AS last
                   FROM payouts_transfer
                  WHERE origin = settled.round_id AND entry = settled.sequence
                    AND purpose IN ('payout', 'stake_returned')
                  GROUP BY bet_number) AS moved
        ON moved.bet_number = graded.bet_number
"""
# The transfers of the previous settlement, and their reversals.
_TAKEN_BACK: Final = """
    SELECT count(*) AS lines,
           count(*) FILTER (WHERE (back.debit_id, back.credit_id, back.amount_cents)
                                = (made.credit_id, made.debit_id, made.amount_cents)
                              AND back.bet_number IS NOT DISTINCT FROM made.bet_number) AS fitting
      FROM (SELECT * FROM payouts_transfer
             WHERE origin = settled.round_id AND entry = settled.sequence - 1
               AND purpose <> 'reversal') AS made
      FULL JOIN (SELECT * FROM payouts_transfer
                  WHERE origin = settled.round_id AND entry = settled.sequence
                    AND purpose = 'reversal') AS back
        ON back.reverses_line = made.line AND back.reverses_entry = made.entry
"""
# A shortfall is debited to the customer's receivable and leaves a balance of zero.
_SHORT: Final = """
    SELECT count(*) AS lines,
           count(*) FILTER (
               WHERE moved.debit_id = moved.credit_id + 2
                 AND (SELECT balance_cents FROM payouts_account
                       WHERE id = moved.credit_id AND kind = 'customer') = 0) AS fitting
      FROM payouts_transfer AS moved
     WHERE moved.origin = settled.round_id AND moved.entry = settled.sequence
       AND moved.purpose = 'shortfall'
"""

settlement_agrees: Final = pgtrigger.Trigger(
    name="settlement_agrees",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    level=pgtrigger.Statement,
    referencing=pgtrigger.Referencing(new="new_settlements"),  # type: ignore[no-untyped-call]
    declare=[("wrong", "record")],
    func=f"""
        SET LOCAL enable_nestloop = off;
        SET LOCAL enable_seqscan = off;
        SELECT settled.round_id, settled.sequence INTO wrong
          FROM new_settlements AS settled
         CROSS JOIN LATERAL ({_SUMS}) AS told
         WHERE (told.bets, told.graded, told.fitting) <> (told.lines, told.lines, told.lines)
            OR (told.staked, told.paid, told.chips)
               <> (settled.staked_cents, settled.payout_cents, settled.chips_cents)
         LIMIT 1;
        IF wrong.round_id IS NULL AND EXISTS (SELECT FROM new_settlements WHERE sequence > 1) THEN
            SELECT settled.round_id, settled.sequence INTO wrong
              FROM new_settlements AS settled
             CROSS JOIN LATERAL ({_TAKEN_BACK}) AS undone
             CROSS JOIN LATERAL ({_SHORT}) AS short
             WHERE settled.sequence > 1
               AND (undone.fitting <> undone.lines OR short.fitting <> short.lines
                    OR NOT EXISTS (SELECT FROM payouts_settlement AS before
                                    WHERE before.round_id = settled.round_id
                                      AND before.sequence = settled.sequence - 1))
             LIMIT 1;
        END IF;
        SET LOCAL enable_nestloop TO DEFAULT;
        SET LOCAL enable_seqscan TO DEFAULT;
        IF wrong.round_id IS NOT NULL THEN
            RAISE EXCEPTION 'settlement % of round % disagrees with its bets or transfers',
                wrong.sequence, wrong.round_id USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
    """,
)

settlement_released: Final = pgtrigger.Trigger(
    name="settlement_released",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    level=pgtrigger.Statement,
    referencing=pgtrigger.Referencing(new="new_settlements"),  # type: ignore[no-untyped-call]
    declare=[("unreleased", "uuid")],
    func="""
        SELECT round.id INTO unreleased
          FROM rounds_round AS round
         WHERE round.id = ANY (ARRAY(SELECT round_id FROM new_settlements
                                      WHERE kind <> 'void' OR approved_by IS NULL))
           AND round.arrival_anomalies <> '{}'
           AND NOT EXISTS (SELECT FROM payouts_caseround AS about
                             JOIN payouts_casestep AS step
                               ON step.case_id = about.case_id AND step.action = 'approved'
                            WHERE about.round_id = round.id)
         LIMIT 1;
        IF unreleased IS NOT NULL THEN
            RAISE EXCEPTION 'round % is held since its arrival, and no case releases it',
                unreleased USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
    """,
)
"""Refuses payouts on a round held at arrival unless an approved case is about it.

The worker, which verifies the signatures of the case, keeps voids to cases.
"""
