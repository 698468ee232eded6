"""The check of a history: strict serializability, with the order of versions known.

Operations and committed versions are nodes of a graph, and an edge says *before*:

- a version comes before the next one of the same thing;
- a read comes after the version it saw and before the next one;
- a promised version comes before its answer, whoever wrote it;
- an operation comes before those that began after its answer (nodes for moments keep these edges
  few), unless they are reads of a replica, which may show an earlier state.

There is an order in which one after the other everything could have happened, if and only if the
graph has no cycle; a cycle is the story of the anomaly (A. Adya, *Weak Consistency*, 1999;
K. Kingsbury, P. Alvaro, *Elle*, 2020). A lost update, a long fork and a stale report are cycles, or
a version that is not the committed one.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from tests.histories.operations import ABSENT, Committed, Operation

_MOST: Final = 20


def anomalies(operations: Sequence[Operation], committed: Committed) -> list[str]:
    """What cannot be, as sentences; at most twenty, and one cycle."""
    found = [*_not_committed(operations, committed), *_not_once(operations)]
    return found[:_MOST] or _cycle(operations, committed)


def _not_committed(operations: Sequence[Operation], committed: Committed) -> Iterator[str]:
    """Promised or seen, and not there in the end, or otherwise."""
    for operation in operations:
        for thing, version in operation.wrote.items():
            if version >= len(committed.get(thing, ())):
                yield f"{operation.name}: version {version} of {thing} was promised and is lost"
        for thing, seen in operation.saw.items():
            if seen == ABSENT:
                continue
            version, content = seen
            versions = committed.get(thing, ())
            stored = versions[version].content if version < len(versions) else "none"
            if content != stored:
                yield (
                    f"{operation.name}: saw version {version} of {thing} as {content};"
                    f" committed is {stored}"
                )


def _not_once(operations: Sequence[Operation]) -> Iterator[str]:
    """Calls with one key have made two things, or two keys one thing."""
    by_key: defaultdict[str, set[str]] = defaultdict(set)
    by_made: defaultdict[str, set[str]] = defaultdict(set)
    for operation in operations:
        if operation.key and operation.made:
            by_key[operation.key].add(operation.made)
            by_made[operation.made].add(operation.key)
    for key, made in by_key.items():
        if len(made) > 1:
            yield f"the key {key} has made {', '.join(sorted(made))}"
    for thing, keys in by_made.items():
        if len(keys) > 1:
            yield f"{thing} was made by the keys {', '.join(sorted(keys))}"


def _cycle(operations: Sequence[Operation], committed: Committed) -> list[str]:
    graph: TopologicalSorter[str] = TopologicalSorter()
    for before, after in _edges(operations, committed):
        graph.add(after, before)
    try:
        graph.prepare()
    except CycleError as error:
        story = [node for node in error.args[1] if not node.startswith(_MOMENT)]
        return [f"in no order: {' → '.join(story)}"]
    return []


_MOMENT: Final = "moment "


def _edges(operations: Sequence[Operation], committed: Committed) -> Iterator[tuple[str, str]]:
    for thing, versions in committed.items():
        for number in range(1, len(versions)):
            yield _node(thing, number - 1), _node(thing, number)
    moments = sorted({operation.ended for operation in operations})
    for number in range(1, len(moments)):
        yield _moment(number - 1), _moment(number)
    for number, operation in enumerate(operations):
        me = f"{operation.name} ({number})"
        answered = _moment(bisect_left(moments, operation.ended))
        yield me, answered
        earlier = bisect_left(moments, operation.began)
        if operation.is_current and earlier:
            yield _moment(earlier - 1), me
        for thing, version in operation.wrote.items():
            if version < len(committed.get(thing, ())):
                yield _node(thing, version), answered
        yield from _edges_of_reads(operation, committed, me)


def _edges_of_reads(
    operation: Operation, committed: Committed, me: str
) -> Iterator[tuple[str, str]]:
    for thing, (version, _content) in operation.saw.items():
        versions = committed.get(thing, ())
        if version >= 0:
            yield _node(thing, version), me
        following = version + 1
        if following < len(versions) and _is_covered(operation, versions[following].era):
            yield me, _node(thing, following)


def _is_covered(operation: Operation, era: int) -> bool:
    return operation.era is None or era <= operation.era


def _node(thing: str, version: int) -> str:
    return f"version {version} of {thing}"


def _moment(number: int) -> str:
    return f"{_MOMENT}{number}"
