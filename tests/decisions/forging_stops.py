"""Stops: two persons resume after them; rows of resumptions move nothing while they are open."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from hypothesis import strategies
from hypothesis.stateful import precondition, rule

from compliance.trail.record import Entry
from payouts.cases.models import CaseHalt, CaseHaltStep
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.integrity.resume_settlement import resume_settlement
from payouts.integrity.stop_settlement import stop_settlement
from rounds.models import QueuedRound
from tests.casino_in_play import ingest, settle
from tests.decisions.forging import (
    DISHONEST,
    NAMES,
    PERSONS,
    Histories,
    days_ago,
    everybody,
    hands,
    persons,
    roles,
)
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import NOTE

_MOST: Final = 2
_FIRST_FREE: Final = 3

_kinds: Final = strategies.sampled_from([IntegrityStop, IntegrityStop, CaseHalt])
_STEPS: Final[dict[Any, Any]] = {IntegrityStop: IntegrityStopStep, CaseHalt: CaseHaltStep}
_LINK: Final[dict[Any, str]] = {IntegrityStop: "stop", CaseHalt: "halt"}


class _Record(NamedTuple):
    """A decision without a row."""

    entry: Entry
    at: datetime
    actor: str
    actor_user_id: int | None


class Stops(Histories):
    """Checks that fail, and rounds that wait."""

    def __init__(self) -> None:
        super().__init__()
        self.played = self.stops = 0

    @precondition(lambda self: self.played < _MOST)
    @rule()
    def play(self) -> None:
        """A round that waits to be settled."""
        ingest(lines(baccarat_round(f"r-{_FIRST_FREE + self.played}")), at=self.now)
        self.played += 1

    @precondition(lambda self: self.stops < _MOST)
    @rule()
    def stop(self) -> None:
        """A check of the workers finds a difference in the books."""
        self.stops += 1
        found = [f"round r-0: found {self.stops}.00; needed 7.00"]
        stop_settlement(IntegrityStop.Kind.BOOKS, found, at=self.now)

    @rule()
    def settle(self) -> None:
        """The workers settle what waits, unless they are stopped."""
        self.work(lambda: settle(at=self.now), halts=False)
        waiting = QueuedRound.objects.exists()
        self.happened["settle: " + ("rounds wait" if waiting else "done")] += 1

    @precondition(lambda self: self.stops)
    @rule(who=persons)
    def resume(self, who: str) -> None:
        """Proposes to resume, or resumes, each stop that is open by its rows."""
        for stop in IntegrityStop.objects.order_by("at", "findings"):
            seen = {stop.pk: stop.steps.count()}
            about: dict[str, Any] = {"note": NOTE, "at": self.now, "actor": self.actor(who)}
            if self.do("resume", lambda: resume_settlement(seen=seen, **about)):  # noqa: B023  at once
                self.honest.add(("stop", stop.pk, who))

    @precondition(lambda self: self.stops)
    @rule(order=everybody)
    def resume_by_all(self, order: list[str]) -> None:
        """All three try it, one after the other."""
        for who in order:
            self.resume(who)

    @rule(
        role=roles,
        kind=_kinds,
        sequence=strategies.sampled_from([1, 2]),
        who=strategies.sampled_from(list(NAMES)),
        hand=hands,
        ago=days_ago,
    )
    def forge_resumption(
        self, role: str, kind: Any, sequence: int, who: str, hand: int, ago: int
    ) -> None:
        """A step of a resumption in anybody's name, of the latest stop of settlement or cases."""
        of = kind.objects.order_by("-at").first()
        if of is None:
            return

        def forge() -> None:
            row = _STEPS[kind].objects.create(
                **{_LINK[kind]: of},
                sequence=sequence,
                action="proposed" if sequence == 1 else "resumed",
                note=NOTE,
                at=self.at(ago),
                actor=NAMES[who].name,
                actor_user_id=NAMES[who].user_id or 0,
            )
            self.write_record(row, who, hand)

        self.write(f"resumption of {_LINK[kind]}", role, forge)

    @rule(kind=_kinds, order=strategies.permutations(list(NAMES)), by=hands, ago=days_ago)
    def forge_resumptions(self, kind: Any, order: list[str], by: int, ago: int) -> None:
        """Both steps of a resumption, as far as they are missing; then the workers settle."""
        for sequence, forger in enumerate(self.forgers(order, by), start=1):
            self.forge_resumption("web", kind, sequence, *forger, ago)
        self.settle()

    @rule(
        role=roles,
        action=strategies.sampled_from(
            ["ACCESS_APPROVED", "ACCESS_CHANGED", "ROLES_GIVEN_ON_HOST"]
        ),
        hand=hands,
        ago=days_ago,
    )
    def forge_role(self, role: str, action: str, hand: int, ago: int) -> None:
        """The record of a decision that makes Giulia a supervisor, who may resume."""
        giulia = PERSONS[DISHONEST]
        entry = Entry(action, f"user:{giulia.user_id}", {"roles_after": ["supervisor"]})
        record = _Record(entry, self.at(ago), giulia.name, giulia.user_id)
        self.write("role", role, lambda: self.write_record(record, DISHONEST, hand))
