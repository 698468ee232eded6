"""Checks of a casino after the load has ended, in addition to `tests.books`."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Final

from compliance.trail.actor import Actor
from compliance.trail.batches import batch_of, record_id
from compliance.trail.encoding import leaf_of
from compliance.trail.log.key_file import witnessed_head
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import AuditBatch, AuditRecord
from payouts.stuck_work.models import FailingTask
from rounds.replay import REJECTED, replay_lines
from tests.books import rows_of
from tests.crash.feed_load import Lane
from tests.histories.anomalies import anomalies
from tests.histories.operations import History, Operation
from tests.histories.snapshots import committed_rounds, thing_of

_DECIDED_OTHERWISE_THAN_ONCE: Final = """
    SELECT round.reference, verdicts.rows, settlements.rows
      FROM rounds_round AS round
     CROSS JOIN LATERAL (SELECT count(*) AS rows, max(status) AS status
                           FROM rounds_validation WHERE round_id = round.id) AS verdicts
     CROSS JOIN LATERAL (SELECT count(*) AS rows
                           FROM payouts_settlement WHERE round_id = round.id) AS settlements
     WHERE verdicts.rows <> 1
        OR settlements.rows <> CASE verdicts.status WHEN 'validated' THEN 1 ELSE 0 END
"""
_STAKES_TAKEN_OTHERWISE_THAN_ONCE: Final = """
    SELECT round.reference, round.staked_cents, taken.cents
      FROM rounds_round AS round
     CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS cents
                           FROM payouts_transfer
                          WHERE origin = round.id AND purpose = 'stakes_taken') AS taken
     WHERE taken.cents <> round.staked_cents
"""
_SETTLEMENT_DIGESTS: Final = """
    SELECT 'round:' || round.reference, settled.sequence, encode(settled.results_digest, 'hex'),
           encode(sha256(convert_to(coalesce(paid.lines, ''), 'UTF8')), 'hex')
      FROM payouts_settlement AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id
     CROSS JOIN LATERAL (
           SELECT string_agg(format(E'%s\\t%s\\t%s\\t%s\\t%s\\n', bet_number, outcome, payout_cents,
                                    chips_cents, reasons), '' ORDER BY bet_number) AS lines
             FROM payouts_betsettlement
            WHERE round_id = settled.round_id AND sequence = settled.sequence) AS paid
"""
_LEFT_LOCKED: Final = "SELECT classid, objid FROM pg_locks WHERE locktype = 'advisory'"
_LEFT_PREPARED: Final = "SELECT gid FROM pg_prepared_xacts"
_LEFT_CONNECTED: Final = """
    SELECT pid, state, query FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND pid <> pg_backend_pid()
"""


def assert_rounds_are_stored_and_settled_once(feed: Iterable[bytes]) -> None:
    """Every round that replay accepts is stored, judged once, and settled once unless held."""
    accepted = {result["round"] for result in replay_lines(feed) if result["status"] != REJECTED}
    stored = [reference for (reference,) in rows_of("SELECT reference FROM rounds_round")]

    assert len(stored) == len(set(stored))
    assert set(stored) == accepted
    assert rows_of(_DECIDED_OTHERWISE_THAN_ONCE) == []
    assert rows_of(_STAKES_TAKEN_OTHERWISE_THAN_ONCE) == []


def assert_history_has_an_order(history: History, lanes: Iterable[Lane]) -> None:
    """What was read while processes were killed, and each ingest that ended, fit one order."""
    for lane in lanes:
        for path, began, ended in lane.ingested:
            results = replay_lines(path.read_bytes().splitlines())
            stored = {thing_of(it["round"]): 0 for it in results if it["status"] != REJECTED}
            history.add(Operation(f"ingest of {path.name}", began, ended, wrote=stored))
    assert anomalies(history.operations, committed_rounds()) == []


def assert_audit_trail_is_complete() -> None:
    """Every arrival and settlement is recorded once and unchanged; every batch has its root."""
    received: Counter[str] = Counter()
    recorded = []
    batches = {}
    records = AuditRecord.objects.order_by("id").iterator(chunk_size=2_000)
    for batch, members in groupby(records, key=lambda record: batch_of(record.id)):
        leaves = []
        for position, record in enumerate(members):
            assert record.id == record_id(batch, position)
            assert bytes(record.leaf) == leaf_of_record(record)
            leaves.append(bytes(record.leaf))
            if record.action == "ROUND_RECEIVED":
                received[record.subject] += 1
            if record.action == "ROUND_SETTLED":
                digest = record.details["results_digest"]
                recorded.append((record.subject, record.details["settlement"], digest, digest))
        batches[batch] = (len(leaves), root_of(leaves))

    written = AuditBatch.objects.values_list("id", "record_count", "root")
    assert batches == {batch: (count, bytes(root)) for batch, count, root in written}
    assert sorted(recorded) == sorted(rows_of(_SETTLEMENT_DIGESTS))
    assert received == Counter(
        subject for (subject,) in rows_of("SELECT 'round:' || reference FROM rounds_round")
    )


def assert_log_is_verified(key: Path) -> None:
    """Every record is in the signed log, and the log's heads are signed by the key."""
    remembered = witnessed_head(key)
    assert remembered is not None
    result: list[object] = []
    verified = verify_trail(
        report=result.append, trusted_key=remembered[0].key_id, witnessed=remembered
    )
    assert result == []
    assert verified.heads > 1
    assert verified.in_log > 0


def leaf_of_record(record: AuditRecord) -> bytes:
    """The leaf of a stored record."""
    return leaf_of(
        at=record.at,
        actor=Actor(record.actor, record.actor_user_id),
        action=record.action,
        subject=record.subject,
        details=record.details,
    )


def assert_no_failures_locks_or_connections_remain() -> None:
    """No failing task, lock, prepared transaction or open connection."""
    assert not FailingTask.objects.filter(recovered_at=None).exists()
    assert rows_of(_LEFT_LOCKED) == []
    assert rows_of(_LEFT_PREPARED) == []
    assert rows_of(_LEFT_CONNECTED) == []
