"""Settling rounds: from a verdict to money, once and only once.

A batch is one transaction: verdicts, settlements, transfers, balances, audit records and the end
of the rounds' wait commit together or not at all. Two guards stand against paying twice: the key
of the settlement (round, sequence) and the key of each transfer (round, entry, line).
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.append_only import copy_rows
from compliance.trail.record import Entry, record_entries
from payouts.models import BetSettlement, Settlement
from payouts.services.ledger import Posting, post_transfers
from payouts.services.postings import stakes_settled, stakes_taken
from rounds.queries import StoredRound, customer_ids_of, stored_rounds
from rounds.rules.money import format_cents
from rounds.rules.verdict import HELD, VOID, Verdict
from rounds.services.queue import finish_rounds
from rounds.services.validate import validate_rounds

_FIRST: Final = 1
_SETTLEMENT_COLUMNS: Final = (
    "round_id",
    "sequence",
    "kind",
    "rules",
    "rules_digest",
    "staked_cents",
    "payout_cents",
    "chips_cents",
    "bonus",
    "settled_at",
    "actor",
)
_BET_COLUMNS: Final = (
    "round_id",
    "sequence",
    "bet_number",
    "outcome",
    "payout_cents",
    "chips_cents",
    "reasons",
)


class Settled(NamedTuple):
    """What became of a batch of rounds."""

    settled: int = 0
    held: int = 0

    def plus(self, other: "Settled") -> "Settled":
        """The sum of two batches."""
        return Settled(self.settled + other.settled, self.held + other.held)


class _Judged(NamedTuple):
    stored: StoredRound
    verdict: Verdict


def settle_rounds(*, round_ids: Sequence[UUID], at: datetime, actor: Actor) -> Settled:
    """Judges waiting rounds for the first time and settles those that went as their sheet says.

    The rounds must be claimed (``claim_rounds``) in the current transaction. Of a held round only
    the stakes are taken; they stay on the stakes-held account until somebody decides. Raises
    IntegrityError when one of the rounds was settled before, and RulesChangedError when one arrived
    under rules that the running code no longer has; nothing is written then.
    """
    rounds = stored_rounds(round_ids)
    verdicts = validate_rounds(rounds, at=at, actor=actor)
    judged = [_Judged(*pair) for pair in zip(rounds, verdicts, strict=True)]
    settled = [one for one in judged if one.verdict.status != HELD]
    _write_settlements(settled, at=at, actor=actor)
    _write_bet_settlements(settled)
    post_transfers(_postings(judged, settled), at=at)
    record_entries([_entry(one) for one in settled], at=at, actor=actor)
    finish_rounds(round_ids)
    return Settled(settled=len(settled), held=len(judged) - len(settled))


def _write_settlements(settled: Sequence[_Judged], *, at: datetime, actor: Actor) -> None:
    copy_rows(
        Settlement,
        _SETTLEMENT_COLUMNS,
        (
            (
                stored.id,
                _FIRST,
                _kind(verdict),
                stored.dealt.rules,
                stored.rules_digest,
                _staked_cents(stored),
                _payout_cents(verdict),
                sum(grade.chips_cents for grade in verdict.grades),
                None if verdict.bonus is None else json.dumps(verdict.bonus._asdict()),
                at,
                actor.name,
            )
            for stored, verdict in settled
        ),
    )


def _write_bet_settlements(settled: Sequence[_Judged]) -> None:
    copy_rows(
        BetSettlement,
        _BET_COLUMNS,
        (
            (
                stored.id,
                _FIRST,
                number,
                grade.outcome,
                grade.payout_cents,
                grade.chips_cents,
                list(grade.reasons),
            )
            for stored, verdict in settled
            for number, grade in enumerate(verdict.grades)
        ),
    )


def _postings(judged: Sequence[_Judged], settled: Sequence[_Judged]) -> list[Posting]:
    customers = customer_ids_of([one.stored.id for one in settled])
    postings = [
        posting for one in judged for posting in stakes_taken(one.stored.id, one.stored.dealt)
    ]
    for stored, verdict in settled:
        postings += stakes_settled(
            stored.id,
            stored.dealt,
            verdict.grades,
            customers.get(stored.id, ()),
            sequence=_FIRST,
        )
    return postings


def _entry(judged: _Judged) -> Entry:
    stored, verdict = judged
    details = {
        "settlement": _FIRST,
        "kind": _kind(verdict),
        "rules": stored.dealt.rules,
        "rules_digest": stored.rules_digest.hex(),
        "bets": len(verdict.grades),
        "staked": format_cents(_staked_cents(stored)),
        "paid": format_cents(_payout_cents(verdict)),
    }
    return Entry("ROUND_SETTLED", f"round:{stored.dealt.round}", details)


def _kind(verdict: Verdict) -> str:
    void = verdict.status == VOID
    return (Settlement.Kind.VOID if void else Settlement.Kind.SETTLED).value


def _staked_cents(stored: StoredRound) -> int:
    return sum(bet.stake_cents + bet.raised_cents for bet in stored.dealt.bets)


def _payout_cents(verdict: Verdict) -> int:
    return sum(grade.payout_cents for grade in verdict.grades)
