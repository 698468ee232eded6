"""The reduced exploration reaches every outcome that the exploration of all orders reaches."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import pytest

from tests.interleavings.explore import explore
from tests.interleavings.programs import (
    SCRATCH,
    add_note,
    cross,
    delete_account,
    deposit,
    deposit_twice,
    note_once,
    query,
    read_twice,
    skip_locked,
    taken_back,
    try_lock,
    with_lock_by_name,
    withdraw,
    withdraw_of_both,
    write_notes,
)
from tests.interleavings.schedules import Outcome, Program, replayed, run

_UNLOCKED, _LOCKED = partial(withdraw, lock=""), partial(withdraw, lock="FOR UPDATE")
_PAIRS: Final[dict[str, tuple[Program, ...]]] = {
    "lost update": (_UNLOCKED, _UNLOCKED),
    "locked": (_LOCKED, _LOCKED),
    "one locked": (_LOCKED, _UNLOCKED),
    "write skew": (partial(withdraw_of_both, 1), partial(withdraw_of_both, 2)),
    "read committed": (partial(read_twice, "READ COMMITTED"), deposit_twice),
    "repeatable read": (partial(read_twice, "REPEATABLE READ"), deposit_twice),
    "note once": (note_once, note_once),
    "two notes": (partial(add_note, 1), partial(add_note, 2)),
    "same note": (partial(add_note, 1), partial(add_note, 1)),
    "same note taken back": (partial(add_note, 1, keeps=False), partial(add_note, 1)),
    "note and writer of notes": (partial(add_note, 1), write_notes),
    "foreign key": (note_once, delete_account),
    "deadlock": (partial(cross, 1, 2), partial(cross, 2, 1)),
    "advisory lock": (with_lock_by_name, with_lock_by_name),
    "advisory lock of one": (with_lock_by_name, _UNLOCKED),
    "tried lock": (try_lock, try_lock),
    "skip locked": (skip_locked, skip_locked),
    "savepoint": (taken_back, deposit_twice),
    "three": (_UNLOCKED, deposit, partial(deposit, 10)),
}
_QUICK: Final = {"lost update", "deadlock", "same note"}


@pytest.fixture
def scratch(empty_database: str) -> str:
    """An empty database for the planted programs."""
    return empty_database


def _outcomes(
    programs: Sequence[Program], url: str, *, is_reduced: bool
) -> Iterator[tuple[Outcome, str]]:
    def prepare() -> str:
        query(SCRATCH)
        return url

    for outcome in explore(programs, prepare=prepare, is_reduced=is_reduced):
        yield outcome, _seen(outcome)


def _seen(outcome: Outcome) -> str:
    rows = (
        query("SELECT cents FROM account ORDER BY id"),
        query("SELECT account_id FROM note ORDER BY 1"),
    )
    errors = [type(error).__name__ for error in outcome.errors]
    return f"{outcome.answers} {errors} {rows}"


class TestReduction:
    @pytest.mark.parametrize(
        "name",
        [name if name in _QUICK else pytest.param(name, marks=pytest.mark.slow) for name in _PAIRS],
    )
    def test_reaches_what_all_orders_reach(self, scratch: str, name: str) -> None:
        """The proof of the footprints and of what commutes."""
        every = [seen for _, seen in _outcomes(_PAIRS[name], scratch, is_reduced=False)]
        reduced = [seen for _, seen in _outcomes(_PAIRS[name], scratch, is_reduced=True)]

        assert set(reduced) == set(every)
        assert len(reduced) <= len(every), f"{len(reduced)} of {len(every)}"


class TestPlantedFaults:
    def test_finds_a_lost_update(self, scratch: str) -> None:
        """Both are paid 80 of 100 cents; the order replays from its digits."""
        found = [
            outcome
            for outcome, _ in _outcomes((_UNLOCKED, _UNLOCKED), scratch, is_reduced=True)
            if outcome.answers == ("paid", "paid")
        ]

        assert found
        query(SCRATCH)
        again = run((_UNLOCKED, _UNLOCKED), replayed(found[0].replay), url=scratch)
        assert again.answers == ("paid", "paid")
        assert [event.statement for event in again.events] == [
            event.statement for event in found[0].events
        ]

    def test_finds_nothing_wrong_with_a_lock(self, scratch: str) -> None:
        """One is paid, the other refused, in either order."""
        outcomes = [one for one, _ in _outcomes((_LOCKED, _LOCKED), scratch, is_reduced=True)]

        assert {outcome.answers for outcome in outcomes} == {
            ("paid", "refused"),
            ("refused", "paid"),
        }

    def test_finds_a_write_skew(self, scratch: str) -> None:
        """Repeatable reads of both accounts, and each takes from another one."""
        outcomes = _outcomes(_PAIRS["write skew"], scratch, is_reduced=True)

        assert ("paid", "paid") in [outcome.answers for outcome, _ in outcomes]
