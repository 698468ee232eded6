"""The sweep: takes waiting rounds in batches until none is left. It is the guarantee.

The broker only rings: whatever it loses, delays or doubles, the next sweep finds the same queue in
the database. A batch is what waits: one round on a quiet night, up to thousands of bets under load.
A round that cannot be settled never holds back its batch: halves of the batch are tried, and halves
of these, until the one that fails waits alone with its error and all the others are settled.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction

from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.services.collisions import again_after_collision
from payouts.services.settle import Settled, settle_rounds
from rounds.services.queue import claim_again, claim_rounds, postpone_round
from rounds.services.validate import RulesChangedError

BATCH_ROUNDS: Final = 2_000
BATCH_BETS: Final = 20_000

_log = logging.getLogger(__name__)


def sweep_waiting_rounds(*, now: Callable[[], datetime], actor: Actor, batches: int) -> Settled:
    """Settles waiting rounds until none is due, or until so many batches were done."""
    total = Settled()
    for _ in range(batches):
        done = _sweep_batch(at=now(), actor=actor)
        if done is None:
            break
        total = total.plus(done)
    return total


def _sweep_batch(*, at: datetime, actor: Actor) -> Settled | None:
    """One batch in one transaction; None when nothing waits."""
    claimed: list[UUID] = []

    def settle_claimed() -> Settled | None:
        claimed[:] = claim_rounds(at=at, rounds=BATCH_ROUNDS, bets=BATCH_BETS)
        return settle_rounds(round_ids=claimed, at=at, actor=actor) if claimed else None

    try:
        return again_after_collision(settle_claimed)
    except (OperationalError, InterfaceError):
        raise  # the database is away: no round's fault, and the next sweep finds them all
    except Exception:  # whatever one round does, the others are settled
        if not claimed:
            raise  # no round did it: the task fails, and somebody sees that it does
        _log.exception("A batch of %d rounds failed; trying its halves", len(claimed))
    return _settle_halves(claimed, at=at, actor=actor)


def _settle_halves(round_ids: Sequence[UUID], *, at: datetime, actor: Actor) -> Settled:
    """Both halves of a batch that failed as a whole; a single round is tried by itself."""
    if len(round_ids) == 1:
        return _settle_or_postpone(round_ids[0], at=at, actor=actor)
    total = Settled()
    middle = len(round_ids) // 2
    for half in (round_ids[:middle], round_ids[middle:]):
        try:
            with transaction.atomic():
                claimed = claim_again(half)
                done = settle_rounds(round_ids=claimed, at=at, actor=actor)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # noqa: BLE001  as above
            done = _settle_halves(half, at=at, actor=actor)
        total = total.plus(done)
    return total


def _settle_or_postpone(round_id: UUID, *, at: datetime, actor: Actor) -> Settled:
    try:
        with transaction.atomic():
            return settle_rounds(round_ids=claim_again([round_id]), at=at, actor=actor)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001  kept with the round, shown to people
        _log.exception("Round %s cannot be settled; it waits with its error", round_id)
        _postpone(round_id, error, at=at, actor=actor)
    return Settled()


def _postpone(round_id: UUID, error: Exception, *, at: datetime, actor: Actor) -> None:
    with transaction.atomic():
        is_new = postpone_round(round_id, error=f"{type(error).__name__}: {error}", at=at)
        if is_new and isinstance(error, RulesChangedError):
            record_entries([error.entry], at=at, actor=actor)
