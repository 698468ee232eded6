"""Settling rounds: from a verdict to money, exactly once.

A batch is one transaction: verdicts, settlements, transfers, balances, daily totals, audit records
and the removal from the queue commit together. Two unique keys prevent paying twice: that of the
settlement (round, sequence) and that of the transfer (origin, entry, line). Settlements are written
last, so that the database can compare them with bets and transfers.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.ledger.balance_shards import process_stripe
from payouts.ledger.post_transfers import change_balances, copy_transfers
from payouts.settlement.bet_results import copy_results
from payouts.settlement.daily_totals import Totals
from payouts.settlement.decision import decide, insert_settlements, settled_entry
from payouts.settlement.postings import Postings
from payouts.settlement.stakes import staked_by
from rounds.booking_day import open_books
from rounds.gaming_day import gaming_day
from rounds.rule_inputs import rounds_to_judge
from rounds.rules.verdict import HELD
from rounds.services.queue import finish_rounds
from rounds.services.require_signed_rules import require_signed_rules
from rounds.services.validate import validate_rounds
from rounds.signatures.hold_unsigned import hold_unsigned

_FIRST: Final = 1


class Settled(NamedTuple):
    """The counts of a settled batch."""

    settled: int = 0
    held: int = 0

    def plus(self, other: "Settled") -> "Settled":
        """The sum of two batches."""
        return Settled(self.settled + other.settled, self.held + other.held)


def settle_rounds(*, round_ids: Sequence[UUID], at: datetime, actor: Actor) -> Settled:
    """Validates waiting rounds and settles those that comply with their rules.

    The rounds must be claimed (``claim_rounds``) in the current transaction. The stakes of a held
    round stay on the stakes-held account until it is decided. A round that its studio had to sign,
    and did not sign as it is stored, is held. Raises IntegrityError if a round was settled before,
    RulesRefusedError if the code no longer has the rules of one or nobody signed them; nothing is
    written then.
    """
    books = open_books(at=at)
    arrived = rounds_to_judge(round_ids)
    require_signed_rules(arrived)
    rounds = hold_unsigned(arrived, at=at)
    verdicts, entries = validate_rounds(rounds, at=at, actor=actor)
    stripe = process_stripe()
    postings, totals = Postings(at=at, stripe=stripe), Totals()
    decisions = []
    for stored, verdict in zip(rounds, verdicts, strict=True):
        if verdict.status == HELD:
            postings.take_stakes(stored.id, staked_by(stored.dealt.bets))
            continue
        booked_on = books.day_for(gaming_day(stored.dealt.opened_at))
        decision = decide(stored, verdict, sequence=_FIRST, booked_on=booked_on)
        decisions.append(decision)
        postings.take_stakes(stored.id, decision.sums.staked)
        postings.settle(decision)
        totals.add(decision.total_key, decision.sums, is_void=decision.is_void)
    copy_results(
        (decision.stored.id, decision.sequence, decision.results) for decision in decisions
    )
    copy_transfers(postings.blocks)
    finish_rounds(round_ids)
    record_entries([*entries, *map(settled_entry, decisions)], at=at, actor=actor)
    insert_settlements(decisions, at=at, actor=actor)
    # Shared rows last: others wait for their locks until the commit.
    change_balances(postings.changes)
    totals.write(stripe=stripe)
    return Settled(settled=len(decisions), held=len(rounds) - len(decisions))
