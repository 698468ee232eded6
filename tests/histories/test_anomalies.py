"""The check finds each kind of anomaly that was planted, and nothing in histories without one."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.histories.anomalies import anomalies
from tests.histories.operations import ABSENT, Committed, Operation, Seen, Version

_THINGS = ("a", "b", "c")


def stored(**versions: int) -> Committed:
    """So many versions of each thing; the content of one is its number."""
    return {
        thing: tuple(Version(str(number)) for number in range(count))
        for thing, count in versions.items()
    }


def at(version: int) -> tuple[int, str]:
    """What a reader sees of a version."""
    return ABSENT if version < 0 else (version, str(version))


def read(began: float, ended: float, *, is_current: bool = True, **versions: int) -> Operation:
    """A read of these versions in one snapshot."""
    saw = {thing: at(version) for thing, version in versions.items()}
    return Operation("read", began, ended, saw=saw, is_current=is_current)


def wrote(began: float, ended: float, **versions: int) -> Operation:
    """An answer that promises these versions."""
    return Operation("write", began, ended, wrote=versions)


class TestNothingIsFoundIn:
    def test_reads_in_the_order_of_the_versions(self) -> None:
        """One after the other, and at the same time as the write."""
        history = [
            read(0, 1, a=0, b=-1),
            wrote(2, 5, a=1),
            read(3, 4, a=0),
            read(3, 4, a=1),
            read(6, 7, a=1, b=0),
        ]

        assert anomalies(history, stored(a=2, b=1)) == []

    def test_a_replica_that_is_behind(self) -> None:
        """It shows a state that there was."""
        history = [wrote(0, 1, a=1), read(2, 3, is_current=False, a=0)]

        assert anomalies(history, stored(a=2)) == []

    def test_a_report_of_an_earlier_day(self) -> None:
        """What is booked later is not its business."""
        committed = {"a": (Version("0", era=1), Version("1", era=2))}
        report = Operation("report", 4, 5, saw={"a": at(0)}, era=1)

        assert anomalies([wrote(0, 1, a=1), report], committed) == []

    def test_a_repeated_call(self) -> None:
        """Both answers name the same thing."""
        calls = [Operation("call", 0, 1, key="k", made="m"), Operation("call", 0, 1, key="l")]

        assert anomalies([*calls, *calls], {}) == []

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(st.randoms(use_true_random=False), st.integers(2, 60))
    def test_any_serial_history(self, chance: Random, length: int) -> None:
        """Operations take effect at one moment between their beginning and their end."""
        assert anomalies(*serial_history(chance, length)) == []


class TestIsFound:
    def test_a_promise_that_was_lost(self) -> None:
        """The answer says that it is stored."""
        [found] = anomalies([wrote(0, 1, a=1)], stored(a=1))

        assert found == "write: version 1 of a was promised and is lost"

    def test_a_lost_update(self) -> None:
        """Somebody saw a version that another one has replaced."""
        seen = Operation("read", 0, 1, saw={"a": (1, "mine")})
        [found] = anomalies([seen], {"a": (Version("0"), Version("yours"))})

        assert found == "read: saw version 1 of a as mine; committed is yours"

    def test_a_version_that_was_never_committed(self) -> None:
        """A dirty read."""
        [found] = anomalies([read(0, 1, a=1)], stored(a=1))

        assert found == "read: saw version 1 of a as 1; committed is none"

    @pytest.mark.parametrize("is_current", [True, False])
    def test_a_long_fork(self, *, is_current: bool) -> None:
        """Two readers see two writes in opposite orders; on a replica as well."""
        history = [
            read(0, 9, is_current=is_current, a=1, b=0),
            read(0, 9, is_current=is_current, a=0, b=1),
        ]
        [found] = anomalies(history, stored(a=2, b=2))

        assert found.startswith("in no order: ")
        assert "version 1 of a" in found

    def test_a_read_that_goes_back(self) -> None:
        """Later, and an earlier version."""
        [found] = anomalies([read(0, 1, a=1), read(2, 3, a=0)], stored(a=2))

        assert found.startswith("in no order: ")

    def test_a_primary_that_is_behind_its_replica(self) -> None:
        """What a replica has shown was committed."""
        history = [read(0, 1, is_current=False, a=1), read(2, 3, a=0)]

        assert anomalies(history, stored(a=2)) != []

    def test_an_answer_that_is_not_seen(self) -> None:
        """Read your writes."""
        assert anomalies([wrote(0, 1, a=0), read(2, 3, a=-1)], stored(a=1)) != []

    def test_a_stale_report(self) -> None:
        """It was asked for after the write of its own day was answered."""
        report = Operation("report", 2, 3, saw={"a": at(0)}, era=1)
        committed = {"a": (Version("0", era=1), Version("1", era=1))}

        assert anomalies([wrote(0, 1, a=1), report], committed) != []

    def test_two_effects_of_one_key(self) -> None:
        """And one effect of two keys."""
        calls = [Operation("call", 0, 1, key=key, made=made) for key, made in ("km", "kn", "ln")]
        found = anomalies(calls, {})

        assert found == ["the key k has made m, n", "n was made by the keys k, l"]

    @settings(max_examples=25)
    @given(st.randoms(use_true_random=False), st.integers(20, 60))
    def test_any_read_that_is_moved_before_a_write_it_saw(
        self, chance: Random, length: int
    ) -> None:
        """A current read that shows less than was answered before it began."""
        operations, committed = serial_history(chance, length)
        late = 10.0 * len(operations)
        thing = chance.choice(_THINGS)
        newest = len(committed[thing]) - 1
        operations = [
            *operations,
            Operation("read", late, late + 1, saw={thing: at(newest)}),
            Operation("read", late + 2, late + 3, saw={thing: at(newest - 1)}),
        ]

        assert anomalies(operations, committed) != []


def serial_history(chance: Random, length: int) -> tuple[Sequence[Operation], Committed]:
    """A history in which each operation takes effect at one moment."""
    versions = dict.fromkeys(_THINGS, 0)
    past: list[Mapping[str, int]] = [dict(versions)]
    operations = []
    for moment in range(length):
        began, ended = moment - chance.uniform(0, 4), moment + chance.uniform(0, 4)
        some = chance.sample(_THINGS, chance.randint(1, 3))
        if chance.random() < 0.5:
            written = {thing: versions[thing] + 1 for thing in some}
            versions |= written
            past.append(dict(versions))
            operations.append(Operation("write", began, ended, wrote=written))
            continue
        is_current = chance.random() < 0.7
        state = versions if is_current else chance.choice(past)
        saw: Seen = {thing: at(state[thing]) for thing in some}
        operations.append(Operation("read", began, ended, saw=saw, is_current=is_current))
    return operations, stored(**{thing: count + 1 for thing, count in versions.items()})
