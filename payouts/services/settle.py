"""Settling rounds: from a verdict to money, once and only once.

A batch is one transaction: verdicts, settlements, transfers, balances, daily totals, audit records
and the end of the rounds' wait commit together or not at all. Two guards stand against paying
twice: the key of the settlement (round, sequence) and the key of each transfer (origin, entry,
line). The settlements are written when the database can compare them with bets and transfers.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.services.ledger import change_balances, copy_transfers
from payouts.services.postings import Postings
from payouts.services.results import copy_results
from payouts.services.settlement import decide, insert_settlements, settled_entry
from payouts.services.staked import staked_by
from payouts.services.stripe import own_stripe
from payouts.services.totals import Totals
from rounds.books import open_books
from rounds.gaming_day import gaming_day
from rounds.judging import rounds_to_judge
from rounds.rules.verdict import HELD
from rounds.services.queue import finish_rounds
from rounds.services.validate import validate_rounds

_FIRST: Final = 1


class Settled(NamedTuple):
    """What became of a batch of rounds."""

    settled: int = 0
    held: int = 0

    def plus(self, other: "Settled") -> "Settled":
        """The sum of two batches."""
        return Settled(self.settled + other.settled, self.held + other.held)


def settle_rounds(*, round_ids: Sequence[UUID], at: datetime, actor: Actor) -> Settled:
    """Judges waiting rounds for the first time and settles those that went as their sheet says.

    The rounds must be claimed (``claim_rounds``) in the current transaction. Of a held round only
    the stakes are taken; they stay on the stakes-held account until somebody decides. Raises
    IntegrityError when one of the rounds was settled before, and RulesChangedError when one arrived
    under rules that the running code no longer has; nothing is written then.
    """
    books = open_books(at=at)
    rounds = rounds_to_judge(round_ids)
    verdicts, entries = validate_rounds(rounds, at=at, actor=actor)
    stripe = own_stripe()
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
    copy_results((one.stored.id, one.sequence, one.results) for one in decisions)
    copy_transfers(postings.blocks)
    finish_rounds(round_ids)
    record_entries([*entries, *map(settled_entry, decisions)], at=at, actor=actor)
    insert_settlements(decisions, at=at, actor=actor)
    # What others change too comes at the very end: who waits for a balance waits for our commit.
    change_balances(postings.changes)
    totals.write(stripe=stripe)
    return Settled(settled=len(decisions), held=len(rounds) - len(decisions))
