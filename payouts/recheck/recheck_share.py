"""Workers verify a share of what is stored again, all day, in turns of a moment each.

Rounds of the last hours are verified in passes, in a random order, each once in a pass. Rounds,
batches of audit records and signed decisions of all times are drawn at random. What is next is
known to this process alone, so no row and no setting makes it leave out a round.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import cycle
from random import SystemRandom
from time import monotonic
from typing import Final
from uuid import UUID

from compliance.signatures.models import DecisionSignature
from compliance.storage.random_rows import random_key
from compliance.trail.batches import milliseconds_of
from compliance.trail.key_ranges import KeyRange, key_ranges
from compliance.trail.models import AuditRecord
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import stop_settlement
from payouts.recheck.count_verified import count_verified
from payouts.recheck.verify_share import (
    Findings,
    verify_batch_of,
    verify_decision,
    verify_rounds_between,
)
from rounds.models import QueuedRound, Round

RECHECK_EVERY_SECONDS: Final = 10.0
"""The time between two turns."""

_BETS: Final = 1_000
"""The weight of a part of a pass: its bets, plus ten per round."""
_BESIDE: Final = 25
"""Rounds before and after a drawn one that are verified with it."""
_RANDOM: Final = SystemRandom()

Step = Callable[[datetime, timedelta], Findings | None]
"""Verifies something; None where there is nothing. Receives the time and the recent hours."""


class _Pass:
    """A pass of this process over the rounds that were opened within the last hours."""

    def __init__(self) -> None:
        self._left: list[KeyRange] = []
        self._began: float | None = None

    def verify_next(self, at: datetime, recent: timedelta) -> Findings:
        """Verifies the next part, after the last one those of a new pass."""
        if not self._left:
            self._begin(at, recent)
        findings = verify_rounds_between(self._left.pop())
        findings.verified["recent_rounds"] = findings.verified["rounds"]
        if not self._left and self._began is not None:
            findings.pass_seconds = monotonic() - self._began
        return findings

    def _begin(self, at: datetime, recent: timedelta) -> None:
        first = KeyRange(UUID(int=milliseconds_of(at - recent) << 80))
        self._left = key_ranges("rounds_round", weight="bet_count", most=_BETS, within=first)
        self._began = monotonic()
        _RANDOM.shuffle(self._left)


def new_pass() -> Step:
    """A step that verifies the next part of passes over the recent rounds."""
    return _Pass().verify_next


def verify_random_rounds(_at: datetime, _recent: timedelta) -> Findings | None:
    """Verifies a random round of all times, and those before and after it."""
    drawn = random_key(Round, "id")
    if drawn is None:
        return None
    ids = Round.objects.values_list("id", flat=True)
    before = list(ids.filter(id__lte=drawn).order_by("-id")[: _BESIDE + 1])
    after = list(ids.filter(id__gt=drawn).order_by("id")[: _BESIDE + 1])
    end = after[-1] if len(after) > _BESIDE else None
    first = before[-1] if len(before) > _BESIDE else None
    findings = verify_rounds_between(KeyRange(first, end))
    findings.verified["random_rounds"] = findings.verified["rounds"]
    return findings


def verify_random_record(_at: datetime, _recent: timedelta) -> Findings | None:
    """Verifies a random audit record with its batch."""
    drawn = random_key(AuditRecord, "id")
    return None if drawn is None else verify_batch_of(drawn)


def verify_random_decision(_at: datetime, _recent: timedelta) -> Findings | None:
    """Verifies the signature of a random decision."""
    drawn = random_key(DecisionSignature, "record_id")
    return None if drawn is None else verify_decision(drawn)


def new_steps() -> Iterator[Step]:
    """What a process verifies in turn.

    Half are parts of passes, a quarter random rounds, the others records and decisions.
    """
    recent = new_pass()
    rounds = verify_random_rounds
    return cycle(
        (
            *(recent, rounds, recent, verify_random_record),
            *(recent, rounds, recent, verify_random_decision),
        )
    )


_STEPS: Final = new_steps()
"""Of this process."""


def recheck_share(
    *,
    now: Callable[[], datetime],
    seconds: float,
    recent: timedelta,
    steps: Iterator[Step] = _STEPS,
) -> None:
    """Verifies for so many seconds, and stops settlement at what differs.

    One step at least, and no further one while rounds wait for settlement. ``recent`` is the time
    that passes go back.
    """
    total, began = Findings(), monotonic()
    for step in steps:
        at = now()
        if findings := step(at, recent):
            _stop_at(findings, at=at)
            total.verified += findings.verified
            total.pass_seconds = max(total.pass_seconds, findings.pass_seconds)
        if monotonic() - began > seconds or _is_awaited(now()):
            break
    count_verified(total, at=now(), seconds=monotonic() - began)


def _stop_at(findings: Findings, *, at: datetime) -> None:
    if findings.texts:
        kind = IntegrityStop.Kind.RECHECK
        stop_settlement(kind, findings.texts, at=at, more=findings.unlisted)


def _is_awaited(at: datetime) -> bool:
    """Whether a round waits for a worker."""
    return QueuedRound.objects.filter(due_at__lte=at).exists()
