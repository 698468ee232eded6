"""Settlement stops of tests, and the persons who resume."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from compliance.trail.actor import Actor
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.integrity.resume_settlement import resume_settlement
from payouts.integrity.stop_settlement import open_stops, stop_settlement
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound, Table
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.lost_logs import give_role
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

FOUND: Final = "round r-0: found 5.00; needed 7.00"
REASON: Final = "Compared with the video; nothing else differs."


def two_rounds_wait() -> None:
    """Two rounds that no worker has settled, and two persons who may resume."""
    if not Table.objects.exists():
        open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    give_role(GIULIA, "compliance")
    give_role(LORENZO, "supervisor")


def stopped(*findings: str) -> IntegrityStop:
    """A stop by a difference in the books."""
    stop = stop_settlement(IntegrityStop.Kind.BOOKS, findings or [FOUND], at=NOW)
    assert stop is not None
    return stop


def resume(*, by: Actor, seen: int, stops: Iterable[UUID] | None = None, **other: Any) -> None:
    """The person signs for all open stops, or for these."""
    ids = [stop.pk for stop in open_stops()] if stops is None else stops
    arguments = {"note": REASON, "at": NOW, **other}
    resume_settlement(seen=dict.fromkeys(ids, seen), actor=by, **arguments)


def resume_by_two() -> None:
    """Giulia proposes to resume, Lorenzo resumes."""
    resume(by=GIULIA, seen=0)
    resume(by=LORENZO, seen=1)


def step(stop: IntegrityStop, sequence: int, actor: Actor, **changed: Any) -> IntegrityStopStep:
    """A row of a step, past the service."""
    columns = {
        "action": "proposed" if sequence == 1 else "resumed",
        "note": REASON,
        "at": NOW,
        "actor": actor.name,
        "actor_user_id": actor.user_id or 0,
    }
    return IntegrityStopStep.objects.create(stop=stop, sequence=sequence, **{**columns, **changed})


def assert_stopped(*, before: int = 0) -> None:
    """Workers settle nothing; both rounds wait. ``before`` rounds were settled before."""
    settle()
    assert (QueuedRound.objects.count(), Settlement.objects.count()) == (2, before)


def assert_settled(*, before: int = 0) -> None:
    """Workers settle both rounds, once."""
    settle()
    settle()
    assert (QueuedRound.objects.count(), Settlement.objects.count()) == (0, 2 + before)
