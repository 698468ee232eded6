"""The sweep: takes waiting rounds in batches until none is left. It is the guarantee.

The broker only rings: whatever it loses, delays or doubles, the next sweep finds the same queue in
the database. A round that cannot be settled never holds back its batch: the batch is repeated
round by round, the one that fails waits with its error, the others are settled.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction

from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.services.settle import Settled, settle_rounds
from rounds.services.queue import claim_round, claim_rounds, postpone_round
from rounds.services.validate import RulesChangedError

BATCH_ROUNDS: Final = 500
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
    try:
        with transaction.atomic():
            claimed = claim_rounds(at=at, rounds=BATCH_ROUNDS, bets=BATCH_BETS)
            if not claimed:
                return None
            return settle_rounds(round_ids=claimed, at=at, actor=actor)
    except (OperationalError, InterfaceError):
        raise  # the database is away: no round's fault, and the next sweep finds them all
    except Exception:  # noqa: BLE001  whatever one round does, the others are settled
        _log.exception("A batch of %d rounds failed; settling them one by one", len(claimed))
    return _settle_one_by_one(claimed, at=at, actor=actor)


def _settle_one_by_one(round_ids: Sequence[UUID], *, at: datetime, actor: Actor) -> Settled:
    total = Settled()
    for round_id in round_ids:
        try:
            with transaction.atomic():
                if claim_round(round_id):
                    total = total.plus(settle_rounds(round_ids=[round_id], at=at, actor=actor))
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:  # noqa: BLE001  kept with the round, shown to people
            _log.exception("Round %s cannot be settled; it waits with its error", round_id)
            with transaction.atomic():
                is_new = postpone_round(round_id, error=f"{type(error).__name__}: {error}", at=at)
                if is_new and isinstance(error, RulesChangedError):
                    record_entries([error.entry], at=at, actor=actor)
    return total
