"""The state of the model and the theorem: what a payment must have, whatever the rows say.

A signature knows the ``hand`` that made it. Services and workers see the key alone; only the
theorem looks at hands. Person 0 may be dishonest, all others are honest.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

ATTACKER: Final = 0
CASE, BUNDLE, STOP, KEY = "case", "bundle", "stop", "key"
APPROVERS: Final = 2


class Text(NamedTuple):
    """What is signed: the step at its place, and the effect that it names."""

    subject: str
    number: int
    """The key's, for a step of a key."""
    sequence: int
    action: str
    effect: int


class Signature(NamedTuple):
    """A signature with a key, by a hand."""

    key: int
    hand: int
    text: Text
    is_late: bool = False
    """Whether it was made after the key was revoked."""


class Step(NamedTuple):
    """A row of a decision."""

    action: str
    actor: int
    effect: int = 0
    signature: Signature | None = None
    is_dated_back: bool = False


class Key(NamedTuple):
    """A row of a signing key: ``person`` is whom it names, ``hand`` who has it."""

    person: int
    hand: int
    steps: tuple[Step, ...] = ()
    is_revoked: bool = False
    is_software: bool = False


class State(NamedTuple):
    """All rows, what was paid and whether the bundle was sent."""

    keys: tuple[Key, ...]
    case: tuple[Step, ...]
    bundle: tuple[Step, ...] = ()
    stop: tuple[Step, ...] = ()
    plan: int = 0
    """The effect that the rows of the execution state; 0 for that of the proposal."""
    paid: int = 0
    is_sent: bool = False

    def steps(self, subject: str, number: int = 0) -> tuple[Step, ...]:
        """The steps of a subject."""
        if subject == KEY:
            return self.keys[number].steps
        steps: tuple[Step, ...] = getattr(self, subject)
        return steps

    def with_step(self, step: Step, subject: str, number: int = 0) -> "State":
        """The state with one more step."""
        if subject != KEY:
            rows: dict[str, Any] = {subject: (*self.steps(subject), step)}
            return self._replace(**rows)
        key = self.keys[number]._replace(steps=(*self.keys[number].steps, step))
        return self._replace(keys=(*self.keys[:number], key, *self.keys[number + 1 :]))


class Terms(NamedTuple):
    """What stays the same in a scope."""

    permissions: tuple[frozenset[str], ...]
    """By person."""
    roots: frozenset[int]
    """The keys that the host approved and the environment names."""
    subjects: frozenset[str] = frozenset()
    """What is decided about besides the case: ``keys``, ``bundle``."""
    needs_regulator: bool = False
    has_stop: bool = False
    effects: tuple[int, ...] = (1, 2)


def broken(before: State, after: State, terms: Terms) -> str:
    """The property that this transition breaks; empty for none."""
    if after.is_sent and not before.is_sent:
        signers = hands(after, BUNDLE, "signed", 0, terms)
        return "" if len(signers) >= APPROVERS else "a bundle was sent without two persons"
    if after.paid == before.paid:
        return ""
    return _broken_by_payment(after, terms)


def _broken_by_payment(state: State, terms: Terms) -> str:
    proposed = hands(state, CASE, "proposed", state.paid, terms)
    approved = hands(state, CASE, "approved", state.paid, terms)
    if not any(one != other for one in proposed for other in approved):
        return "no two persons signed what was paid"
    if not approved - {state.case[0].actor}:
        return "nobody approved but the person who opened the case"
    if not any("approve_decision" in terms.permissions[person] for person in approved):
        return "nobody approved who may"
    if terms.needs_regulator and not hands(state, CASE, "allowed", 0, terms):
        return "nobody signed the regulator's permission"
    if terms.has_stop and not _is_resumed(state, terms):
        return "paid while settlement was stopped"
    return ""


def _is_resumed(state: State, terms: Terms) -> bool:
    entitled = {
        person for person, may in enumerate(terms.permissions) if "resume_settlement" in may
    }
    first = hands(state, STOP, "proposed", 0, terms) & entitled
    second = hands(state, STOP, "resumed", 0, terms) & entitled
    return any(one != other for one in first for other in second)


def hands(
    state: State, subject: str, action: str, effect: int, terms: Terms, number: int = 0
) -> frozenset[int]:
    """The persons who signed such a step, each with a key that was confirmed."""
    signed = enumerate(state.steps(subject, number), start=1)
    return frozenset(
        step.signature.hand
        for sequence, step in signed
        if step.signature is not None
        and step.signature.text == Text(subject, number, sequence, action, effect)
        and not step.signature.is_late
        and is_confirmed(state, step.signature.key, terms)
    )


def is_confirmed(
    state: State, number: int, terms: Terms, within: frozenset[int] = frozenset()
) -> bool:
    """Whether the host or two persons other than the one who has the key confirmed it."""
    if number >= len(state.keys):
        return False
    key = state.keys[number]
    if number in terms.roots or number in within:
        return number in terms.roots
    if key.person != key.hand:
        return False
    confirmed = set()
    for sequence, step in enumerate(key.steps, start=1):
        given = step.signature
        if given is None or given.text != Text(KEY, number, sequence, "approved", 0):
            continue
        if is_confirmed(state, given.key, terms, within | {number}):
            confirmed.add(given.hand)
    return len(confirmed - {key.hand}) >= APPROVERS


def renamed(state: State, names: Mapping[int, int]) -> State:
    """The state with other persons; the key of each person goes with them."""
    persons = len(names)

    def number_of(key: int) -> int:
        return names.get(key, key)

    def step_of(step: Step) -> Step:
        given = step.signature
        if given is not None:
            text = given.text
            if text.subject == KEY:
                text = text._replace(number=number_of(text.number))
            given = Signature(number_of(given.key), names[given.hand], text, given.is_late)
        return step._replace(actor=names[step.actor], signature=given)

    def steps_of(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple([step_of(step) for step in steps])

    keys = list(state.keys)
    for number, key in enumerate(state.keys):
        keys[number_of(number) if number < persons else number] = key._replace(
            person=names[key.person], hand=names[key.hand], steps=steps_of(key.steps)
        )
    return state._replace(
        keys=tuple(keys),
        case=steps_of(state.case),
        bundle=steps_of(state.bundle),
        stop=steps_of(state.stop),
    )
