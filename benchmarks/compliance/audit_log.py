"""Cost of the audit log during settlement, and speed of its verification.

Without proofs, a settlement writes the same audit records only. With proofs, it also writes leaves,
batch and root, and the records are added to the log under a signed head; both are measured.
"""

import hashlib
import time
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection, transaction
from django.utils import timezone

from benchmarks.figures import Figure
from benchmarks.processor_time import Spent, spend
from benchmarks.quick import sized
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import BENCHMARK, Workspace
from compliance.trail.encoding import record_text
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries

_RUNS: Final = sized(5, quick=1)
_MIX_ROUNDS: Final = sized(8_000, quick=2_000)
_BATCHES: Final = sized(1_000, quick=300)
_RECORDS: Final = 500
"""In a batch, as a worker that has much to do writes them."""
_HASHED: Final = 100_000
_KEY: Final = Ed25519PrivateKey.generate()


class _Pair(NamedTuple):
    """The same feed settled both ways."""

    on: Spent
    log: Spent
    off: Spent


def measure_trail(place: Workspace) -> list[Figure]:
    """The cost in processor seconds, by pairs of runs; then half a million records verified."""
    with place.fresh_database():
        bets = ingest_file(place.feeds.mix(rounds=_MIX_ROUNDS))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        append_all()  # what arrived, so that only what settlements record is added below
        pairs = [_pair(place) for _ in range(_RUNS)]
    with place.fresh_database():
        verified = list(_verified())
    return [*_costs(bets, pairs), *verified]


def _pair(place: Workspace) -> _Pair:
    with place.copied_database():
        off = sweep_with(processes=1, proving=False)
    with place.copied_database():
        on = sweep_with(processes=1)
        log = spend(append_all)
    return _Pair(on, log, off)


def append_all() -> None:
    """Adds all pending batches to the log."""
    while append_to_log(_KEY, now=timezone.now()):
        pass


def _costs(bets: int, pairs: list[_Pair]) -> Iterator[Figure]:
    percent = [100 * ((pair.on.cpu + pair.log.cpu) / pair.off.cpu - 1) for pair in pairs]
    yield Figure("trail.cost_percent", median(percent), "of settlement's processor time")
    yield Figure("trail.cost_percent.least", min(percent), "the cheapest of five pairs")
    yield Figure("trail.cost_percent.most", max(percent), "the dearest")
    for name, spent in (
        ("on", median(pair.on.cpu + pair.log.cpu for pair in pairs)),
        ("off", median(pair.off.cpu for pair in pairs)),
    ):
        yield Figure(f"trail.{name}.bets_per_cpu_s", bets / spent, "settled bets a CPU second")


def _verified() -> Iterator[Figure]:
    _write()
    records = AuditRecord.objects.count()
    appended = spend(append_all)
    findings: list[object] = []
    with transaction.atomic():
        verified = spend(lambda: verify_trail(report=findings.append))
    if findings:
        raise RuntimeError(f"the trail is not as it was written: {findings[0]}")
    limit = _hash_only()
    yield Figure("trail.append_per_s", records / appended.wall, "records added to the log a second")
    yield Figure("trail.verify_per_s", records / verified.wall, "records verified a second")
    yield Figure("trail.verify_per_cpu_s", records / verified.cpu, "a CPU second, PostgreSQL's too")
    yield Figure("trail.limit.hash_per_s", limit, "the same records, in memory, only hashed")
    yield Figure("trail.verify.ratio_hash", records / verified.wall / limit, "of only hashing them")
    yield Figure("trail.verify.cpu_ratio_hash", records / verified.cpu / limit, "in CPU seconds")


def _write() -> None:
    """Records as settlements write them."""
    now = timezone.now()
    for batch in range(_BATCHES):
        entries = [_entry(batch, number) for number in range(_RECORDS)]
        with transaction.atomic():
            record_entries(entries, at=now + timedelta(milliseconds=batch), actor=BENCHMARK)


def _entry(batch: int, number: int) -> Entry:
    digests = [hashlib.sha256(b"%d %d" % (batch, number)).hexdigest() for _ in range(2)]
    details: dict[str, Any] = {
        "settlement": 1,
        "kind": "settled",
        "rules": "baccarat/1",
        "rules_digest": digests[0],
        "results_digest": digests[1],
        "bets": number % 20,
        "staked": "123.50",
        "paid": "98.00",
    }
    return Entry("ROUND_SETTLED", f"round:bac-1-{batch:08}-{number:06}", details)


def _hash_only() -> float:
    """Records a second: each hashed as a leaf and a node, nothing read and nothing parsed."""
    records = AuditRecord.objects.order_by("id")[:_HASHED]
    texts = [
        record_text(
            at=record.at,
            actor=BENCHMARK,
            action=record.action,
            subject=record.subject,
            details=record.details,
        ).encode()
        for record in records
    ]
    node = bytes(65)
    started = time.perf_counter()
    for text in texts:
        hashlib.sha256(text).digest()
        hashlib.sha256(node).digest()
    return len(texts) / (time.perf_counter() - started)
