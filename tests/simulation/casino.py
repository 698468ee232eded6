"""The casino of a simulated day: its clock, its calls that may be killed, and the end of the day.

The clock of the host is not that of the machine, and may go wrong.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Final

from hypothesis.stateful import RuleBasedStateMachine

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.scope import one_day
from compliance.exports.services.build_bundle import build_bundle
from compliance.exports.verify_bundle import verify
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.steps import StepError
from payouts.disputes.close_dispute import advance_remedied_disputes
from payouts.gaming_days.exceptions import DayNotCloseable
from payouts.ledger.transfer_to_wallet import PayOverError
from payouts.settlement.resettle import RoundNotResettleable
from rounds.services.ingest import Tally
from tests.books import SUM_OF_ALL_BALANCES, rows_of
from tests.compliance.trail.logs import KEY
from tests.signers import signing
from tests.simulation import calls
from tests.simulation.final_checks import assert_day_is_right
from tests.simulation.killed import Killed, killed_before
from tests.simulation.studio import OPENING, Studio

PEOPLE: Final = {
    name: signing(name, number) for number, name in enumerate(("Giulia", "Lorenzo", "Marco"), 1)
}
ENOUGH: Final = 1_000
_REFUSALS: Final = (StepError, DayNotCloseable, NotInLog, PayOverError, RoundNotResettleable)


class SimulatedCasino(RuleBasedStateMachine):
    """What a day has, whatever happens in it."""

    prepare: ClassVar[Callable[[], str]]
    """Makes the database of an opened casino; gives its URL."""
    folder: ClassVar[Path]
    key: ClassVar[SigningKey]
    known: ClassVar[set[str]]
    happened: ClassVar[Counter[str]]
    """What was done, and what became of it, in all days."""

    url: str
    studio: Studio

    def __init__(self) -> None:
        super().__init__()
        self.true_time, self.skew = OPENING, timedelta()
        self.head: WitnessedHead | None = None
        self.exported: set[Path] = set()
        self.is_open = False
        self.number = {"rounds": 0, "cases": 0, "disputes": 0}
        """How many there are at least: what needs one is not drawn without."""

    @property
    def now(self) -> datetime:
        """What the clock of the host says."""
        return self.true_time + self.skew

    def end(self) -> None:
        """Everything is handed over, settled and executed; then all of it is checked."""
        self.skew = timedelta()
        while self.studio.taken < len(self.studio.lines):
            lines = self.studio.next_lines(further=ENOUGH, again=0)
            self.studio.taken += len(lines)
            assert self.hand_over(lines) is not None
        again = self.hand_over(self.studio.lines)
        assert again is not None
        assert (again.rounds, again.shoes) == (0, 0), again
        self.true_time += timedelta(days=1)
        calls.sweep(ENOUGH, at=self.now)
        calls.execute_all(at=self.now)
        advance_remedied_disputes(at=self.now)
        self.head = append_to_log(KEY, now=self.now, witnessed=self.head) or self.head
        assert_day_is_right(self.studio.lines)
        for path in sorted(self.exported):
            verify(str(path), self.known, say=lambda _words: None)

    def hand_over(self, lines: Sequence[bytes], *, kill: int | None = None) -> Tally | None:
        """What became of the documents; None if the process was killed."""
        self.true_time = max(self.true_time, self.studio.over_at(list(lines)))
        tally: Tally | None = self.do(
            "deliver", lambda: calls.ingest(lines, at=self.now), kill=kill
        )
        assert tally is None or sum(tally) == len(lines), (tally, len(lines))
        return tally

    def build_bundle_of(self, day: date) -> Any:
        """A new bundle of the day."""
        return build_bundle(
            of=one_day(day, ""),
            folder=self.folder,
            key=self.key,
            database="default",
            at=self.now,
            actor=PEOPLE["Giulia"],
        )

    def do(self, what: str, action: Callable[[], Any], *, kill: int | None = None) -> Any:
        """The answer; None if it was refused in words, or if the process was killed.

        Whatever happened, the books are even.
        """
        answer, became = None, "done"
        try:
            with killed_before(kill, url=self.url):
                answer = action()
        except Killed:
            became = "killed"
        except _REFUSALS as error:
            became = type(error).__name__
        self.happened[f"{what}: {became}"] += 1
        assert rows_of(SUM_OF_ALL_BALANCES) == [(0,)]
        return answer
