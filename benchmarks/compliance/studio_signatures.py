"""Cost of the studio's signatures: of a feed that is ingested and settled, and of verifying again.

The same feed is ingested with its file of signatures and without, and settled, where all tables
require signatures and where none does, in pairs of runs. What is stored is verified again from the
studio's key; the limit is to verify and hash the same in memory.
"""

import hashlib
import os
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction
from django.utils import timezone

from benchmarks.data.feeds import START
from benchmarks.figures import Figure
from benchmarks.processor_time import Spent, spend
from benchmarks.quick import sized
from benchmarks.workspace import BENCHMARK, Workspace, signing_person
from compliance.trail.actor import WORKER
from payouts.settlement.sweep import sweep_waiting_rounds
from rounds.models import Bet, Round, SignedBatch, Table
from rounds.services.ingest_signed_lines import ingest_with_signatures
from rounds.services.require_signatures import require_signatures
from rounds.services.studio_keys import approve_studio_key, propose_studio_key
from rounds.signatures.batch_lines import BatchSigner
from rounds.signatures.public_keys import raw_public_key, to_base64url
from rounds.signatures.store_signature import stored_content
from rounds.signatures.verify_signatures import verify_signatures

_PAIRS: Final = sized(5, quick=1)
_ROUNDS: Final = sized(8_000, quick=2_000)
_STORED: Final = int(os.environ.get("SABOT_BENCH_SIGNED_ROUNDS", sized(1_000_000, quick=10_000)))
_EARLIER_MS: Final = 10 * 86_400_000
"""So much before other feeds the stored rounds begin: a million take three weeks of play."""
_VALID: Final = timedelta(days=365)
_CALLS: Final = 2_000


class _Pair(NamedTuple):
    signed: Spent
    unsigned: Spent
    settled_signed: Spent
    settled: Spent


def measure_signatures(place: Workspace) -> list[Figure]:
    """The costs in processor seconds, by pairs of runs."""
    key = Ed25519PrivateKey.generate()
    feed = place.feeds.mix(rounds=_ROUNDS)
    signatures = _signature_lines(feed, key)
    with place.fresh_database():
        _register(key, at=timezone.now())
        pairs = [_pair(place, feed, signatures) for _ in range(_PAIRS)]
    return list(_costs(pairs))


def measure_stored_signatures(place: Workspace) -> list[Figure]:
    """The stored batches of a million signed rounds, verified."""
    key = Ed25519PrivateKey.generate()
    with place.fresh_database():
        _register(key, at=timezone.now())
        stored = place.feeds.mix(rounds=_STORED, start=START - _EARLIER_MS)
        _ingest(stored, _signature_lines(stored, key))
        return list(_verified(key))


def _register(key: Ed25519PrivateKey, *, at: datetime) -> None:
    """Two persons register the studio's key for all tables."""
    proposer = signing_person("Proposer", 1, role="compliance", at=at)
    approver = signing_person("Approver", 2, role="compliance", at=at)
    proposed = propose_studio_key(
        studio="benchmark",
        public_key=to_base64url(raw_public_key(key.public_key())),
        tables=list(Table.objects.values_list("code", flat=True)),
        valid_from=at - _VALID,
        valid_until=at + _VALID,
        reason="benchmark",
        at=at,
        actor=proposer,
    )
    approve_studio_key(key_id=proposed.pk, at=at, actor=approver)


def _signature_lines(feed: Path, key: Ed25519PrivateKey) -> list[bytes]:
    signer = BatchSigner(key, now=timezone.now)
    with feed.open("rb") as lines:
        texts = [*map(signer.add, lines), signer.finish()]
    return [f"{text}\n".encode("ascii") for text in texts if text is not None]


def _pair(place: Workspace, feed: Path, signatures: list[bytes]) -> _Pair:
    spent = []
    for signed in (signatures, []):
        with place.copied_database():
            if signed:
                _require_signatures()
            spent.append(spend(partial(_ingest, feed, signed)))
            spent.append(spend(_settle))
    signed_ingestion, signed_settlement, ingestion, settlement = spent
    return _Pair(signed_ingestion, ingestion, signed_settlement, settlement)


def _require_signatures() -> None:
    at = timezone.now()
    person = signing_person("Floor manager", 3, role="supervisor", at=at - _VALID)
    for table in Table.objects.all():
        require_signatures(table_id=table.pk, note="benchmark", seen=0, at=at, actor=person)


def _settle() -> None:
    """One process settles everything, in batches as workers do."""
    settled = sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=_ROUNDS)
    if settled.held:
        raise RuntimeError(f"{settled.held} signed rounds are held")


def _ingest(feed: Path, signatures: list[bytes]) -> None:
    with feed.open("rb") as lines:
        ingested = ingest_with_signatures(
            lines, signatures, source=feed.name, now=timezone.now, actor=BENCHMARK
        )
    if ingested.fault is not None:
        raise RuntimeError(f"the feed is not signed: {ingested.fault}")


def _costs(pairs: list[_Pair]) -> Iterator[Figure]:
    ingestion = [100 * (pair.signed.cpu / pair.unsigned.cpu - 1) for pair in pairs]
    settlement = [100 * (pair.settled_signed.cpu / pair.settled.cpu - 1) for pair in pairs]
    for name, percent in (("cost", ingestion), ("settlement", settlement)):
        figure = f"signatures.{name}_percent"
        yield Figure(figure, median(percent), "of the processor time without signatures")
        yield Figure(f"{figure}.least", min(percent), "the cheapest of five pairs")
        yield Figure(f"{figure}.most", max(percent), "the dearest")


def _verified(key: Ed25519PrivateKey) -> Iterator[Figure]:
    rounds, bets, batches = (model.objects.count() for model in (Round, Bet, SignedBatch))
    findings: list[str] = []
    with transaction.atomic():
        verified = spend(lambda: verify_signatures(findings.append))
    if findings:
        raise RuntimeError(f"the signatures are not as they were stored: {findings[0]}")
    limit = _limit(key)
    yield Figure(
        "trail.signatures.rounds_per_s",
        rounds / verified.wall,
        f"of {rounds:,} signed rounds, verified a second",
    )
    yield Figure("trail.signatures.bets_per_s", bets / verified.wall, "their bets a second")
    yield Figure("trail.limit.signatures_per_s", limit, "in memory, hashed and verified only")
    yield Figure(
        "trail.signatures.ratio_limit", batches / verified.wall / limit, "of only verifying them"
    )


def _limit(key: Ed25519PrivateKey) -> float:
    """Batches a second: content in memory hashed once, and one signature verified."""
    contents = [stored_content(batch) for batch in SignedBatch.objects.order_by("pk")[:_CALLS]]
    public, text = key.public_key(), b"a" * 300
    signature = key.sign(text)
    started = time.perf_counter()
    for content in contents:
        hashlib.sha256(content).digest()
        public.verify(signature, text)
    return len(contents) / (time.perf_counter() - started)
