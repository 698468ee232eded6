"""Holds rounds whose stored facts differ from those that the studio signed, before settlement.

Ingestion has verified the signatures. But web hosts, too, store the rounds that programs deliver to
them, and a compromised host could store other facts. So a worker verifies the signature of each
batch from a web host once more, and compares the facts of each round with the signed ones.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from compliance.signatures.log_order import is_logged_after
from compliance.trail.log.log_status import is_in_log_or_pending
from compliance.trail.models import AuditRecord
from rounds.models import Customer, QueuedRound, Round, SignatureRequirement
from rounds.rule_inputs import RoundToJudge
from rounds.rules import facts
from rounds.rules.anomalies import UNSIGNED_SOURCE
from rounds.signatures.requirements import is_required
from rounds.signatures.verified_batches import UnsignedBatch, verified_batch


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

    An arrival before that counts only if the log has received the round before the step.
    """
    under = [step for step in steps if step.since_arrival < arrival]
    if under and is_required(under[-1]):
        return True
    later = [step for step in steps if step not in under and is_required(step)]
    return bool(later) and not _was_received_before(stored, later)


def _was_received_before(stored: RoundToJudge, steps: Iterable[SignatureRequirement]) -> bool:
    """Whether the log received the round before it received each of the steps.

    Every role can write records that look like these. So all records of a step are compared, and
    of the round's records the first that is a leaf of the log.
    """
    records = AuditRecord.objects.filter(
        action="ROUND_RECEIVED", subject=f"round:{stored.dealt.round}"
    )
    received = next(
        (found for found in records.order_by("id") if is_in_log_or_pending(found)), None
    )
    return received is not None and all(_is_before(received, step) for step in steps)


def _is_before(received: AuditRecord, step: SignatureRequirement) -> bool:
    decided = AuditRecord.objects.filter(
        action=step.entry.action, subject=step.entry.subject, at=step.at
    )
    return decided.exists() and not any(is_logged_after(received, record) for record in decided)


def _signed_facts(dealt: facts.Round, batch_id: int | None) -> facts.Round | None:
    """The round as its studio signed it; None if no valid batch contains it."""
    if batch_id is None:
        return None
    try:
        batch = verified_batch(batch_id)
    except UnsignedBatch:
        return None
    return batch.round(dealt.round) if dealt.table in batch.tables else None


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
