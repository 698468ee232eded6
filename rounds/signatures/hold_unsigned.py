"""Holds rounds whose facts no studio signed, before they are settled: rows are not believed.

Ingestion verified the signatures already. But web hosts store rounds too, which programs deliver to
them, and could store others than were signed. So a worker verifies the signature of each of their
batches again, once, and compares the facts of each round with the signed ones.
"""

import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from compliance.signatures.log_order import is_logged_after
from compliance.trail.models import AuditRecord
from rounds import feed
from rounds.models import Customer, QueuedRound, Round, SignatureRequirement, SignedBatch
from rounds.rule_inputs import RoundToJudge
from rounds.rules import facts
from rounds.rules.anomalies import UNSIGNED_SOURCE
from rounds.signatures.decided_by_persons import is_approved_by_two
from rounds.signatures.requirements import is_required
from rounds.signatures.store_signature import stored_content
from rounds.signatures.verify_batch import KeyWithSteps, signature_faults, signed_lines

_MOST_KEPT: Final = 64 << 20
"""Octets of verified batches that a process keeps: rounds of a batch are settled together."""
_ID: Final = re.compile(rb'"round"\s*:\s*"([A-Za-z0-9._:-]{1,64})"')
_UNREADABLE: Final = (ValueError, zlib.error, EOFError, OSError)


class UnsignedBatch(Exception):
    """A stored batch is not what a studio signed with a key of two persons."""


def hold_unsigned(rounds: Sequence[RoundToJudge]) -> list[RoundToJudge]:
    """The rounds, held with ``unsigned-source`` where a required signature does not prove them."""
    steps = _steps_by_table({stored.table_id for stored in rounds})
    unproven = _unproven(
        {
            stored.id: stored
            for stored in rounds
            if stored.table_id in steps and UNSIGNED_SOURCE not in stored.arrival_anomalies
        },
        steps,
    )
    return [_held(stored) if stored.id in unproven else stored for stored in rounds]


def _held(stored: RoundToJudge) -> RoundToJudge:
    codes = sorted({*stored.arrival_anomalies, UNSIGNED_SOURCE})
    return stored._replace(arrival_anomalies=tuple(codes))


def _steps_by_table(table_ids: Collection[int]) -> dict[int, list[SignatureRequirement]]:
    steps: dict[int, list[SignatureRequirement]] = {}
    rows = SignatureRequirement.objects.filter(table_id__in=table_ids).select_related("table")
    for step in rows.order_by("table_id", "sequence"):
        steps.setdefault(step.table_id, []).append(step)
    return steps


def _unproven(
    rounds: Mapping[UUID, RoundToJudge], steps: Mapping[int, list[SignatureRequirement]]
) -> set[UUID]:
    """The rounds that need a signature and have none that proves them."""
    if not rounds:
        return set()
    queued = QueuedRound.objects.filter(round_id__in=rounds.keys(), is_from_feed=False)
    arrived = Round.objects.filter(pk__in=queued.values("round_id"))
    batches = {
        round_id: batch_id
        for round_id, arrival, batch_id in arrived.values_list("id", "arrival", "signed_batch_id")
        if _needs_signature(rounds[round_id], arrival, steps[rounds[round_id].table_id])
    }
    signed = {
        round_id: _signed_facts(rounds[round_id].dealt, batch_id)
        for round_id, batch_id in batches.items()
    }
    names = _customer_ids(dealt for dealt in signed.values() if dealt is not None)
    return {
        round_id
        for round_id, dealt in signed.items()
        if dealt is None or _as_stored(dealt, names) != rounds[round_id].dealt
    }


def _needs_signature(
    stored: RoundToJudge, arrival: int, steps: Sequence[SignatureRequirement]
) -> bool:
    """Whether the table required signatures when the round arrived.

    A row that claims to have arrived before that is believed only if the log does not contradict.
    """
    under = [step for step in steps if step.since_arrival < arrival]
    if under and is_required(under[-1]):
        return True
    later = (step for step in steps[len(under) :] if is_required(step))
    required = next(later, None)
    return required is not None and _was_received_after(stored, required)


def _was_received_after(stored: RoundToJudge, step: SignatureRequirement) -> bool:
    entry = step.entry
    decided = AuditRecord.objects.filter(action=entry.action, subject=entry.subject, at=step.at)
    received = AuditRecord.objects.filter(
        action="ROUND_RECEIVED", subject=f"round:{stored.dealt.round}"
    )
    first, requirement = received.order_by("id").first(), decided.order_by("id").first()
    if first is None or requirement is None:
        return first is None
    return is_logged_after(first, requirement)


def _signed_facts(dealt: facts.Round, batch_id: int | None) -> facts.Round | None:
    """The round as its studio signed it; None if no valid batch contains it."""
    if batch_id is None:
        return None
    try:
        batch = _verified_batch(batch_id)
    except UnsignedBatch:
        return None
    return batch.round(dealt.round) if dealt.table in batch.tables else None


class _VerifiedBatch:
    """The documents of a batch whose signature was verified."""

    def __init__(self, tables: Collection[str], lines: Iterable[bytes]) -> None:
        self.tables = frozenset(tables)
        self.size = 0
        self._lines: dict[str | None, list[bytes]] = {}
        """By the id of the round; by None where it cannot be read without parsing."""
        for line in lines:
            self.size += len(line)
            match = _ID.search(line)
            self._lines.setdefault(match[1].decode() if match else None, []).append(line)

    def round(self, reference: str) -> facts.Round | None:
        """The first round with this id; None if there is none."""
        for line in (*self._lines.get(reference, ()), *self._lines.get(None, ())):
            parsed = _parsed(line)
            if parsed is not None and parsed.round == reference:
                return parsed
        return None


def _parsed(line: bytes) -> facts.Round | None:
    try:
        parsed = feed.parse_line(line)
    except feed.FeedError:
        return None
    return parsed if isinstance(parsed, facts.Round) else None


_kept: Final[dict[int, _VerifiedBatch]] = {}


def _verified_batch(batch_id: int) -> _VerifiedBatch:
    """The batch. Raises UnsignedBatch.

    Rows of batches are append-only: what was valid stays valid.
    """
    if batch_id not in _kept:
        _kept[batch_id] = _verify(batch_id)
        while len(_kept) > 1 and sum(batch.size for batch in _kept.values()) > _MOST_KEPT:
            del _kept[next(iter(_kept))]
    return _kept[batch_id]


def _verify(batch_id: int) -> _VerifiedBatch:
    """The batch, verified down to the persons who approved its key. Raises UnsignedBatch."""
    rows = SignedBatch.objects.select_related("key").prefetch_related("key__steps")
    batch = rows.filter(pk=batch_id).first()
    if batch is None:
        raise UnsignedBatch
    key = KeyWithSteps(batch.key)
    if key.fault() or key.batch_fault(batch) or key.approval is None:
        raise UnsignedBatch
    if not is_approved_by_two(batch.key, key.approval):
        raise UnsignedBatch
    try:
        content = stored_content(batch)
        if any(signature_faults(batch, batch.key, content)):
            raise UnsignedBatch
        return _VerifiedBatch(batch.key.tables, signed_lines(batch, content))
    except _UNREADABLE as error:
        raise UnsignedBatch from error


def forget_verified_batches() -> None:
    """Verifies every batch again."""
    _kept.clear()


def _customer_ids(rounds: Iterable[facts.Round]) -> dict[str, str]:
    """The customers' ids, as rules know them, by their pseudonyms."""
    pseudonyms: set[str] = set()
    for dealt in rounds:
        pseudonyms |= {bet.player for bet in dealt.bets}
        pseudonyms |= {entry.player for entry in dealt.disconnects}
    rows = Customer.objects.filter(pseudonym__in=pseudonyms).values_list("pseudonym", "id")
    return {pseudonym: str(customer_id) for pseudonym, customer_id in rows}


def _as_stored(dealt: facts.Round, names: Mapping[str, str]) -> facts.Round:
    """The signed round with what ``rounds_to_judge`` puts in the place of ids and pseudonyms."""
    return dealt._replace(
        bets=tuple(
            facts.Bet._make(("", names.get(bet.player, "?"), "", *bet[3:])) for bet in dealt.bets
        ),
        disconnects=tuple(
            entry._replace(player=names.get(entry.player, f"?{entry.player}"))
            for entry in dealt.disconnects
        ),
    )
