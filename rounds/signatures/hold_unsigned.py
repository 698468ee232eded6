"""Holds rounds that no studio signed as they are stored, before they are settled.

Ingestion has verified the signatures. But rows could be written without it, so a worker verifies
the signature of each batch once more. Web hosts store the rounds that programs deliver to them, and
a compromised host could store other facts: the worker compares each fact of such a round with the
signed one, and what the host added, its time and its limits.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from rounds.arrival import configured_limits
from rounds.identity import round_id
from rounds.models import Customer, QueuedRound, Round, StakeLimitSet
from rounds.row_mapping import datetime_of
from rounds.rule_inputs import RoundToJudge
from rounds.rules import facts
from rounds.rules.anomalies import LATE_ARRIVAL, UNSIGNED_SOURCE
from rounds.services.limits_in_force import sets_in_force
from rounds.signatures.received_by_log import received_by_log
from rounds.signatures.required_at_arrival import RequirementsAtArrival
from rounds.signatures.verified_batches import UnsignedBatch, VerifiedBatch, verified_batch


class _Arrived(NamedTuple):
    """A round that needs a signature, and what its rows say about its arrival."""

    stored: RoundToJudge
    batch_id: int | None
    limit_set_id: int | None
    is_from_feed: bool


def hold_unsigned(rounds: Sequence[RoundToJudge], *, at: datetime) -> list[RoundToJudge]:
    """The rounds, held with ``unsigned-source`` where a required signature does not prove them.

    A row under another id than that of its round, which could be a second copy, is held at every
    table. ``at`` is the time of the settlement.
    """
    codes = {stored.id: {UNSIGNED_SOURCE} for stored in rounds if not _has_own_id(stored)}
    delivered: list[tuple[_Arrived, facts.Round]] = []
    for arrived in _needing_signature([stored for stored in rounds if stored.id not in codes]):
        reference = arrived.stored.dealt.round
        batch = _batch_of(arrived, at=at)
        if batch is not None and arrived.is_from_feed and batch.names(reference):
            continue
        dealt = None if batch is None or arrived.is_from_feed else batch.round(reference)
        if dealt is None:
            codes[arrived.stored.id] = {UNSIGNED_SOURCE}
        else:
            delivered.append((arrived, dealt))
    codes |= _differing(delivered, at=at)
    return [_held(stored, codes[stored.id]) if stored.id in codes else stored for stored in rounds]


def _has_own_id(stored: RoundToJudge) -> bool:
    dealt = stored.dealt
    return stored.id == round_id(reference=dealt.round, opened_at=dealt.opened_at)


def _held(stored: RoundToJudge, codes: Collection[str]) -> RoundToJudge:
    return stored._replace(arrival_anomalies=tuple(sorted({*stored.arrival_anomalies, *codes})))


def _needing_signature(rounds: Sequence[RoundToJudge]) -> list[_Arrived]:
    """Those that are not held yet and whose table required signatures when they arrived."""
    requirements = RequirementsAtArrival({stored.table_id for stored in rounds})
    asked = {
        stored.id: stored
        for stored in rounds
        if UNSIGNED_SOURCE not in stored.arrival_anomalies and requirements.ever(stored.table_id)
    }
    if not asked:
        return []
    queued = QueuedRound.objects.filter(round_id__in=asked, is_from_feed=True)
    from_feed = set(queued.values_list("round_id", flat=True))
    rows = Round.objects.filter(pk__in=asked).values_list(
        "id", "arrival", "signed_batch_id", "limit_set_id"
    )
    return [
        _Arrived(asked[key], batch_id, limit_set_id, key in from_feed)
        for key, arrival, batch_id, limit_set_id in rows
        if requirements.apply_to(asked[key], arrival)
    ]


def _batch_of(arrived: _Arrived, *, at: datetime) -> VerifiedBatch | None:
    """The valid batch of the round, by a key of its table that was valid when the log received it.

    None if there is none.
    """
    if arrived.batch_id is None:
        return None
    try:
        batch = verified_batch(arrived.batch_id)
    except UnsignedBatch:
        return None
    if arrived.stored.dealt.table not in batch.tables:
        return None
    is_over = batch.valid_until < at
    if is_over and received_by_log(arrived.stored.dealt.round, at=at) >= batch.valid_until:
        return None
    return batch


def _differing(
    delivered: Sequence[tuple[_Arrived, facts.Round]], *, at: datetime
) -> dict[UUID, set[str]]:
    """The codes of rounds that web hosts stored otherwise than they were signed or arrived."""
    names = _customer_ids(dealt for _arrived, dealt in delivered)
    tables = {arrived.stored.table_id for arrived, _dealt in delivered}
    limits = sets_in_force(tables) if tables else {}
    codes: dict[UUID, set[str]] = {}
    for arrived, dealt in delivered:
        stored = arrived.stored
        in_force = limits.get(stored.table_id)
        if _as_stored(dealt, names) != stored.dealt or not _had_limits(arrived, in_force):
            codes.setdefault(stored.id, set()).add(UNSIGNED_SOURCE)
        if _is_late(stored, at=at):
            codes.setdefault(stored.id, set()).add(LATE_ARRIVAL)
    return codes


def _had_limits(arrived: _Arrived, in_force: StakeLimitSet | None) -> bool:
    """Whether the round has the limits in force, or those of before if they changed meanwhile."""
    opened_at = datetime_of(arrived.stored.dealt.opened_at)
    while in_force is not None and in_force.pk != arrived.limit_set_id:
        if in_force.decided_at < opened_at:
            return False
        in_force = in_force.replaces
    return in_force is not None or arrived.limit_set_id is None


def _is_late(stored: RoundToJudge, *, at: datetime) -> bool:
    opened_at, lateness = datetime_of(stored.dealt.opened_at), configured_limits().max_lateness
    is_old = opened_at < at - lateness
    return is_old and opened_at < received_by_log(stored.dealt.round, at=at) - lateness


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
