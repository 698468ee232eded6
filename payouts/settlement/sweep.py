"""The sweep settles waiting rounds in batches until none is due.

The queue is a table. The broker only wakes workers up; a lost, late or repeated message does no
harm. A batch has between one round and thousands of bets. If it fails, its halves are tried, and
their halves, until only the failing round is left, which waits with its error.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from time import perf_counter
from typing import Final
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.dispatch import Signal
from structlog.contextvars import bound_contextvars

from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.integrity.stop_settlement import may_settle
from payouts.settlement.settle import Settled, settle_rounds
from rounds.services.queue import claim_again, claim_rounds, postpone_round
from rounds.services.validate import RulesRefusedError

BATCH_ROUNDS: Final = 2_000
BATCH_BETS: Final = 20_000

batch_settled: Final = Signal()
"""Sent after each batch, with ``settled``, ``held`` and ``seconds``; for metrics."""

_log = logging.getLogger(__name__)


def sweep_waiting_rounds(*, now: Callable[[], datetime], actor: Actor, batches: int) -> Settled:
    """Settles waiting rounds until none is due, at most this many batches."""
    total = Settled()
    for _ in range(batches):
        began = perf_counter()
        counts = _sweep_batch(at=now(), actor=actor)
        if counts is None:
            break
        batch_settled.send(None, seconds=perf_counter() - began, **counts._asdict())
        total = total.plus(counts)
    return total


def _sweep_batch(*, at: datetime, actor: Actor) -> Settled | None:
    """Settles one batch in one transaction; None if no round is due, or settlement is stopped."""
    claimed: list[UUID] = []

    def settle_claimed() -> Settled | None:
        claimed.clear()
        if not may_settle(at=at):
            return None
        claimed[:] = claim_rounds(at=at, rounds=BATCH_ROUNDS, bets=BATCH_BETS)
        return settle_rounds(round_ids=claimed, at=at, actor=actor) if claimed else None

    try:
        return retry_on_conflict(settle_claimed)
    except (OperationalError, InterfaceError):
        raise  # the database is unavailable; the next sweep finds the rounds
    except Exception:  # the other rounds are settled nevertheless
        if not claimed:
            raise  # not an error of a round: the task fails visibly
        _log.exception("A batch of %d rounds failed; trying its halves", len(claimed))
    return _settle_halves(claimed, at=at, actor=actor)


def _settle_halves(round_ids: Sequence[UUID], *, at: datetime, actor: Actor) -> Settled:
    """Settles the halves of a batch that failed; a single round alone."""
    if len(round_ids) == 1:
        return _settle_or_postpone(round_ids[0], at=at, actor=actor)
    total = Settled()
    middle = len(round_ids) // 2
    for half in (round_ids[:middle], round_ids[middle:]):
        try:
            with transaction.atomic():
                claimed = claim_again(half)
                counts = settle_rounds(round_ids=claimed, at=at, actor=actor)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # noqa: BLE001  as above
            counts = _settle_halves(half, at=at, actor=actor)
        total = total.plus(counts)
    return total


def _settle_or_postpone(round_id: UUID, *, at: datetime, actor: Actor) -> Settled:
    with bound_contextvars(round=str(round_id)):
        return _settle_one(round_id, at=at, actor=actor)


def _settle_one(round_id: UUID, *, at: datetime, actor: Actor) -> Settled:
    try:
        with transaction.atomic():
            return settle_rounds(round_ids=claim_again([round_id]), at=at, actor=actor)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001  stored with the round
        _log.exception("Round %s cannot be settled; it stays queued with its error", round_id)
        _postpone(round_id, error, at=at, actor=actor)
    return Settled()


def _postpone(round_id: UUID, error: Exception, *, at: datetime, actor: Actor) -> None:
    with transaction.atomic():
        is_new = postpone_round(round_id, error=f"{type(error).__name__}: {error}", at=at)
        if is_new and isinstance(error, RulesRefusedError):
            record_entries([error.entry], at=at, actor=actor)
