"""The scopes that are explored: who takes part, what is decided about, what person 0 can do.

In a scope of services a worker believes rows, so that the services alone must suffice. In a scope
of rows person 0 writes past the services, so that the worker alone must suffice.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from casino.access.roles import CASE_APPROVER_ROLES, SETTLEMENT_RESUMER_ROLES
from tests.decisions.guards import OF_SERVICES, Guard
from tests.decisions.services import Move, Services, paid_by_rows
from tests.decisions.state import CASE, KEY, Key, Signature, State, Step, Terms, Text
from tests.decisions.worker import Forger, Worker

_PERMISSIONS: Final = {
    "approve_decision": CASE_APPROVER_ROLES,
    "resume_settlement": SETTLEMENT_RESUMER_ROLES,
}
_HELD: Final = ("supervisor", "supervisor", "payments")


class Scope(NamedTuple):
    """A scope: persons by their roles, person 0 first."""

    roles: tuple[str, ...] = _HELD
    is_forged: bool = False
    """Whether person 0 writes rows, instead of using the services in anybody's session."""
    most_steps: int = 3
    unapproved: frozenset[int] = frozenset()
    """Persons whose key still needs approvals."""
    further_keys: tuple[Key, ...] = ()
    false_keys: int = 0
    subjects: frozenset[str] = frozenset()
    needs_regulator: bool = False
    has_stop: bool = False
    effects: tuple[int, ...] = (1, 2)
    decided: tuple[tuple[str, int], ...] = ()
    """Steps that persons have signed at the beginning: the action and the person."""
    is_revoked: bool = False
    """Whether the key of person 0 is."""

    @property
    def terms(self) -> Terms:
        """What stays the same."""
        persons = len(self.roles)
        further = {
            persons + number
            for number, key in enumerate(self.further_keys)
            if [step.action for step in key.steps[:1]] == ["rooted"]
        }
        return Terms(
            tuple([_permissions(role) for role in self.roles]),
            frozenset({*range(persons), *further} - self.unapproved),
            self.subjects,
            self.needs_regulator,
            self.has_stop,
            self.effects,
        )

    def first_states(self) -> list[State]:
        """A case that person 0 or an honest person has opened, and nothing decided."""
        keys = [Key(person, person, self._rooted(person)) for person in range(len(self.roles))]
        if self.is_revoked:
            keys[0] = keys[0]._replace(is_revoked=True)
        every = (*keys, *self.further_keys)
        if self.decided:
            signed = [
                _signed(action, person, sequence)
                for sequence, (action, person) in enumerate(self.decided, start=2)
            ]
            return [State(every, (Step("opened", 2), *signed))]
        return [State(every, (Step("opened", opener),)) for opener in range(len(self.roles))]

    def moves(self, state: State, off: Collection[Guard] = ()) -> Iterator[Move]:
        """Every move from a state, without the guards that are off."""
        terms = self.terms
        if not self.is_forged:
            sessions = range(len(self.roles))
            yield from Services(terms, off, self.most_steps, sessions).moves(state)
            yield from paid_by_rows(state, terms)
            return
        yield from Services(terms, (), self.most_steps, (), delivers=False).moves(state)
        yield from Forger(terms, self.most_steps, self.false_keys).moves(state)
        yield from Worker(terms, off).moves(state)

    def _rooted(self, person: int) -> tuple[Step, ...]:
        return () if person in self.unapproved else (Step("rooted", person),)


def _signed(action: str, person: int, sequence: int) -> Step:
    effect = 0 if action == "referred" else 1
    text = Text(CASE, 0, sequence, action, effect)
    return Step(action, person, effect, Signature(person, person, text))


def _permissions(role: str) -> frozenset[str]:
    return frozenset(name for name, roles in _PERMISSIONS.items() if role in roles)


_KEYS: Final = frozenset({"keys"})
_BUNDLE: Final = frozenset({"bundle"})
_IN_CIRCLE: Final = Key(
    1,
    0,
    (
        Step("approved", 0, 0, Signature(0, 0, Text(KEY, 3, 1, "approved", 0))),
        Step("approved", 2, 0, Signature(4, 0, Text(KEY, 3, 2, "approved", 0))),
    ),
)
"""A false key of person 1 whose second approval is signed with a key that it can approve."""
_PROPOSED: Final = (("proposed", 0),)
_REFERRED: Final = (("proposed", 0), ("referred", 0))
_APPROVED: Final = (("proposed", 0), ("approved", 1))
SCOPES: Final[Mapping[str, Scope]] = {
    "case": Scope(most_steps=5),
    "roles": Scope(("supervisor", "supervisor", "auditor")),
    "regulator": Scope(most_steps=5, needs_regulator=True),
    "keys": Scope(unapproved=frozenset({2}), further_keys=(Key(2, 0), Key(0, 0)), subjects=_KEYS),
    "bundle": Scope(subjects=_BUNDLE),
    "stop": Scope(has_stop=True),
    "rows": Scope(is_forged=True),
    "rows-regulator": Scope(
        is_forged=True, needs_regulator=True, most_steps=5, effects=(1,), decided=_REFERRED
    ),
    "rows-keys": Scope(is_forged=True, false_keys=1, effects=(1,), decided=_PROPOSED),
    "rows-circle": Scope(
        is_forged=True, false_keys=2, effects=(1,), decided=_PROPOSED, further_keys=(_IN_CIRCLE,)
    ),
    "rows-revoked": Scope(is_forged=True, is_revoked=True, effects=(1,)),
    "rows-demo": Scope(
        is_forged=True,
        effects=(1,),
        further_keys=(Key(1, 0, (Step("rooted", 1),), is_software=True),),
    ),
    "rows-bundle": Scope(is_forged=True, subjects=_BUNDLE, effects=(1,), decided=_APPROVED),
    "rows-stop": Scope(is_forged=True, has_stop=True, effects=(1,), decided=_APPROVED),
    "rows-stop-payments": Scope(
        ("payments", "supervisor", "supervisor"),
        is_forged=True,
        has_stop=True,
        effects=(1,),
        decided=_APPROVED,
    ),
}
"""The scopes of ``make test``."""

_FOUR: Final = ("supervisor", "supervisor", "supervisor", "payments")
LARGER: Final[Mapping[str, Scope]] = {
    "case-of-four": Scope(_FOUR, most_steps=7),
    "keys-of-four": Scope(
        _FOUR,
        unapproved=frozenset({2, 3}),
        further_keys=(Key(2, 0), Key(0, 0)),
        subjects=_KEYS,
        effects=(1,),
    ),
    "rows-of-four": Scope(_FOUR, is_forged=True, most_steps=4, effects=(1,)),
    "rows-keys-from-opening": Scope(is_forged=True, false_keys=1, effects=(1,)),
}
"""Scopes that take longer."""

_KILLED_ELSEWHERE: Final = {
    Guard.PERMISSION: "roles",
    Guard.REGULATOR: "regulator",
    Guard.KEY_IN_FORCE: "keys",
    Guard.NOT_HOLDER: "keys",
    Guard.ANOTHER_APPROVER: "keys",
    Guard.TWO_APPROVALS: "keys",
    Guard.ANOTHER_SIGNER: "bundle",
    Guard.SENDABLE: "bundle",
    Guard.ANOTHER_RESUMES: "stop",
    Guard.MAY_RESUME: "stop",
    Guard.ROW_NO_DEMO_KEY: "rows-demo",
    Guard.ROW_KEY_IN_FORCE: "rows-revoked",
    Guard.ROW_LOG_ORDER: "rows-revoked",
    Guard.ROW_KEY_APPROVED: "rows-keys",
    Guard.KEY_ROOT_NAMED: "rows-keys",
    Guard.KEY_COMPLETE: "rows-keys",
    Guard.KEY_THREE_PERSONS: "rows-keys",
    Guard.KEY_APPROVALS_SIGNED: "rows-keys",
    Guard.KEY_NO_CIRCLE: "rows-circle",
    Guard.CASE_REGULATOR: "rows-regulator",
    Guard.ROW_TEXT: "rows-stop",
    Guard.STOPPED: "rows-stop",
    Guard.STOP_TWO_PERSONS: "rows-stop",
    Guard.STOP_SIGNED: "rows-stop",
    Guard.STOP_ENTITLED: "rows-stop-payments",
    Guard.BUNDLE_SIGNED: "rows-bundle",
    Guard.BUNDLE_TWO_PERSONS: "rows-bundle",
}
KILLED_IN: Final[Mapping[Guard, str]] = {
    guard: _KILLED_ELSEWHERE.get(guard, "case" if guard in OF_SERVICES else "rows")
    for guard in Guard
}
"""The scope in which each guard is needed."""
