"""Explores every reachable state of a scope, breadth first, so that the first history is shortest.

States that differ by the names of honest persons alone are one state.
"""

from collections.abc import Collection, Iterator
from itertools import permutations
from typing import NamedTuple

from tests.decisions.guards import Guard
from tests.decisions.scopes import Scope
from tests.decisions.state import State, broken, renamed


class Counterexample(NamedTuple):
    """The property that a history breaks, and its moves."""

    broken: str
    history: list[str]


class Exploration(NamedTuple):
    """What was explored. With a counterexample the exploration ended there."""

    states: int
    transitions: int
    payments: int
    counterexample: Counterexample | None


def explore(scope: Scope, off: Collection[Guard] = ()) -> Exploration:
    """Explores a scope without the guards that are off."""
    terms, names = scope.terms, list(_renamings(scope))
    first = {_canonical(state, names) for state in scope.first_states()}
    came_from: dict[State, tuple[State, str] | None] = dict.fromkeys(first)
    level, transitions, payments = sorted(first, key=repr), 0, 0
    while level:
        following: list[State] = []
        for state in level:
            for label, after in scope.moves(state, off):
                transitions += 1
                payments += after.paid != state.paid
                property_broken = broken(state, after, terms)
                if property_broken:
                    history = [*_history(came_from, state), label]
                    found = Counterexample(property_broken, history)
                    return Exploration(len(came_from), transitions, payments, found)
                canonical = _canonical(after, names)
                if canonical not in came_from:
                    came_from[canonical] = (state, label)
                    following.append(canonical)
        level = following
    return Exploration(len(came_from), transitions, payments, None)


def _history(came_from: dict[State, tuple[State, str] | None], state: State) -> list[str]:
    labels = []
    while (earlier := came_from[state]) is not None:
        state, label = earlier
        labels.append(label)
    return [f"{state.case[0].actor} opens the case", *reversed(labels)]


def _renamings(scope: Scope) -> Iterator[dict[int, int]]:
    """The permutations of honest persons who are alike; that which changes nothing left out."""
    terms = scope.terms
    persons = range(len(scope.roles))
    named = {key.person for key in scope.further_keys} | {0}
    alike = [
        (permissions, person in terms.roots, person if person in named else 0)
        for person, permissions in enumerate(terms.permissions)
    ]
    for order in permutations(persons):
        is_same = [alike[person] for person in persons] == [alike[name] for name in order]
        if order[0] == 0 and is_same and list(order) != list(persons):
            yield dict(enumerate(order))


def _canonical(state: State, names: Collection[dict[int, int]]) -> State:
    """The same of all states that differ by the names of honest persons."""
    if not names:
        return state
    return min((state, *(renamed(state, name) for name in names)), key=repr)
