"""Processes that act on the same rounds concurrently, in random order."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from django.utils import timezone

from casino.embedded.server_paths import CLONE
from compliance.trail.actor import WORKER, Actor
from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import PayOverError, pay_over
from payouts.settlement.queries import settlements_of
from payouts.settlement.resettle import RoundNotResettleable
from payouts.settlement.resettle_round import resettle_round
from payouts.settlement.sweep import sweep_waiting_rounds
from payouts.settlement.void_round import void_round
from rounds.documents import read_documents
from rounds.models import Round
from rounds.services.ingest import ingest_documents

_START: Final = (
    "import sys, django; django.setup();"
    " from tests.payouts.settlement.concurrent_workers import work_at_random;"
    " work_at_random(*sys.argv[1:])"
)
_PATIENCE_SECONDS: Final = 1500
_POPULAR: Final = 12
"""So many rounds everybody decides about again and again."""
_AT_ONCE: Final = 8
_REFERENCES: Final = 400
_LONGEST_THOUGHT_SECONDS: Final = 0.02


def start_hand(seed: int, *, steps: int, feed: Path) -> "subprocess.Popen[str]":
    """Starts a process on the database of the test."""
    command = [sys.executable, "-c", _START, str(seed), str(steps), str(feed)]
    return subprocess.Popen(
        command, cwd=CLONE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def counts_of(hand: "subprocess.Popen[str]") -> Counter[str]:
    """Waits for the process; returns its counts, or fails with its error."""
    output, error = hand.communicate(timeout=_PATIENCE_SECONDS)
    assert hand.returncode == 0, error
    return Counter(json.loads(output))


def work_at_random(seed: str, steps: str, feed: str) -> None:
    """The work of a process; prints as JSON how often each action succeeded or was refused."""
    hand = _Hand(int(seed), Path(feed).read_bytes().splitlines())
    hand.work(int(steps))
    json.dump(hand.done, sys.stdout)


class _Hand:
    """Delivers a feed, decides about rounds and pays over, at random."""

    def __init__(self, seed: int, lines: Sequence[bytes]) -> None:
        self.done: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._name = f"hand {seed}"
        self._lines = self._chance.sample(lines, len(lines))

    def work(self, steps: int) -> None:
        """This many random steps, then the rest of feed and queue."""
        weights: dict[Callable[[], None], int] = {
            self._ingest: 3,
            self._sweep: 3,
            self._decide: 12,
            self._pay_over: 4,
        }
        for step in self._chance.choices(list(weights), list(weights.values()), k=steps):
            step()
        while self._lines:
            self._ingest()
        self._sweep(batches=1000)

    def _ingest(self) -> None:
        some, self._lines = self._lines[:_AT_ONCE], self._lines[_AT_ONCE:]
        for batch in read_documents(some):
            ingested = ingest_documents(
                batch, source=self._name, at=timezone.now(), actor=Actor(self._name)
            )
            self.done["ingested"] += ingested.rounds

    def _sweep(self, batches: int = 1) -> None:
        swept = sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=batches)
        self.done["settled"] += swept.settled
        self.done["held"] += swept.held

    def _decide(self) -> None:
        """Two persons read a round, wait, and decide."""
        known = list(Round.objects.order_by("reference").values_list("id", flat=True))
        if not known:
            return
        round_id = self._chance.choice(known[: self._chance.choice((_POPULAR, len(known)))])
        seen = settlements_of(round_id)
        time.sleep(self._chance.uniform(0, _LONGEST_THOUGHT_SECONDS))
        decide = self._chance.choice((void_round, resettle_round))
        try:
            decided = decide(
                round_id=round_id,
                after=len(seen),
                reason=f"{self._name} says so",
                at=timezone.now(),
                actor=Actor(self._name),
                approved_by=Actor(f"other {self._name}"),
            )
        except RoundNotResettleable as refused:
            self.done[type(refused).__name__] += 1
        else:
            self.done[decide.__name__] += 1
            self.done["shortfalls"] += decided.owed_cents > 0

    def _pay_over(self) -> None:
        """Takes out all or half of a balance under a random reference."""
        rich = list(Account.objects.filter(kind="customer", balance_cents__gt=1).order_by("id"))
        if not rich:
            return
        account = self._chance.choice(rich)
        try:
            pay_over(
                reference=f"w-{self._chance.randrange(_REFERENCES)}",
                customer_id=account.customer_id or 0,
                cents=account.balance_cents // self._chance.choice((1, 1, 2)),
                asset=Account.Asset(account.asset),
                at=timezone.now(),
                actor=Actor(self._name),
            )
        except PayOverError as refused:
            self.done[type(refused).__name__] += 1
        else:
            self.done["pay_over"] += 1
