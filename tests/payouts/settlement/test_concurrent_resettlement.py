"""Several processes ingest, settle, void, resettle and pay over the same rounds concurrently.

Each acts in its own random order; the result is one consistent history.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from django.utils import timezone

from compliance.trail.models import AuditRecord
from payouts.ledger.models import PayOver, Transfer
from payouts.settlement.models import Settlement
from rounds.feed import FeedError, parse_line
from rounds.models import Round
from tests.books import assert_books_are_right
from tests.casino_in_play import open_tables
from tests.payouts.settlement.concurrent_workers import counts_of, start_hand
from tests.repetitions import repeated

_SEED: Final = 20261121
_MEETING_STEPS: Final = 500
"""So many steps, and hands have met at a round; in fewer it depends on the machine's pace."""


def deal_apart(folder: Path, *, rounds: int) -> Path:
    """Simulated rounds of every game that may come in any order, each with its own shoe."""
    dealt, feed = folder / "dealt.ndjson", folder / "feed.ndjson"
    call_command("simulate", rounds=rounds, faults=0.1, out=str(dealt))
    feed.write_text("".join(f"{json.dumps(document)}\n" for document in _apart(dealt)))
    return feed


def _apart(dealt: Path) -> Iterator[dict[str, object]]:
    names = set()
    for line in dealt.read_bytes().splitlines():
        try:
            parse_line(line)
        except FeedError:
            continue
        document = json.loads(line)
        if document["feed"] == "round/1" and document["round"] not in names:
            names.add(document["round"])
            if "shoe" in document:
                document["shoe"]["id"] = f"shoe of {document['round']}"
            yield document


@pytest.mark.parametrize(
    ("hands", "rounds", "steps"),
    [(3, 90, 60), pytest.param(6, repeated(400), repeated(900), marks=pytest.mark.slow)],
)
class TestConcurrentDecisions:
    @pytest.mark.slow
    def test_end_in_one_consistent_history(
        self, fresh_casino: str, tmp_path: Path, hands: int, rounds: int, steps: int
    ) -> None:
        """Bets follow the latest settlement, and every decision is recorded."""
        open_tables(at=timezone.now())
        feed = deal_apart(tmp_path, rounds=rounds)

        working = [start_hand(_SEED + number, steps=steps, feed=feed) for number in range(hands)]
        done = sum((counts_of(hand) for hand in working), Counter[str]())

        assert_books_are_right(feed.read_bytes().splitlines())
        assert_every_decision_is_one_settlement(done)
        assert_the_trail_agrees()
        assert done["ingested"] == Round.objects.count() > rounds // 2
        assert done["settled"] + done["held"] == done["ingested"]
        happened = {"void_round", "resettle_round", "pay_over"}
        if steps >= _MEETING_STEPS:
            happened |= {"StaleSettlement", "shortfalls"}
        assert happened <= set(+done), done


def assert_every_decision_is_one_settlement(done: Counter[str]) -> None:
    """Asserts that settlements equal the reported decisions."""
    decided = Settlement.objects.filter(approved_by__isnull=False)
    assert decided.count() == done["void_round"] + done["resettle_round"]
    assert decided.filter(kind="settled").count() <= done["resettle_round"]
    assert Settlement.objects.filter(approved_by=None).count() == done["settled"]
    paid_over = Transfer.objects.filter(purpose="paid_over").values_list("origin", flat=True)
    assert sorted(paid_over) == sorted(PayOver.objects.values_list("id", flat=True))
    assert len(paid_over) <= done["pay_over"]


def assert_the_trail_agrees() -> None:
    """Asserts one record for each decision, with both digests."""
    digests = {
        (settlement.round.reference, settlement.sequence): bytes(settlement.results_digest).hex()
        for settlement in Settlement.objects.select_related("round")
    }
    recorded = set()
    for record in AuditRecord.objects.filter(action__in=("ROUND_VOIDED", "ROUND_RESETTLED")):
        reference, now = record.subject.removeprefix("round:"), record.details
        sequence, before = now["settlement"], now["before"]
        assert now["results_digest"] == digests[reference, sequence]
        if before is not None:
            assert before["settlement"] == sequence - 1
            assert before["results_digest"] == digests[reference, sequence - 1]
        assert (before is None) == (sequence == 1)
        recorded.add((reference, sequence))
    decided = Settlement.objects.filter(approved_by__isnull=False)
    assert recorded == set(decided.values_list("round__reference", "sequence"))
