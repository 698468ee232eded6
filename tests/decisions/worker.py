"""What the worker verifies, and what person 0 writes past the services into the rows."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from tests.decisions.guards import Guard
from tests.decisions.services import Move
from tests.decisions.state import (
    APPROVERS,
    ATTACKER,
    BUNDLE,
    CASE,
    KEY,
    STOP,
    Key,
    Signature,
    State,
    Step,
    Terms,
    Text,
)


class Worker(NamedTuple):
    """The worker, without the guards that are off."""

    terms: Terms
    off: Collection[Guard] = ()

    def moves(self, state: State) -> Iterator[Move]:
        """The payment, and the delivery of the bundle, if what they verify holds."""
        if state.bundle and not state.is_sent and self._is_sendable(state):
            yield "the bundle is sent", state._replace(is_sent=True)
        if state.paid or not self._may_settle(state):
            return
        for paid in self._payable(state):
            yield f"worker pays {paid}", state._replace(paid=paid)

    def _payable(self, state: State) -> Iterator[int]:
        latest = self._latest_decision(state)
        if not latest or not all(self._verify(state, CASE, 0, number) for number in latest):
            return
        proposal, approval = state.case[latest[0] - 1], state.case[latest[-1] - 1]
        paid = state.plan or proposal.effect
        if (
            self._is("CASE_TWO_PERSONS", proposal.actor != approval.actor)
            and self._is("CASE_NOT_OPENER", state.case[0].actor != approval.actor)
            and self._is("CASE_ONE_EFFECT", proposal.effect == approval.effect)
            and self._is("CASE_PLAN", paid == proposal.effect)
        ):
            yield paid

    def _latest_decision(self, state: State) -> list[int]:
        """The sequences of the steps that must be signed; empty if they are not these."""
        needed = ["proposed", "approved"]
        if self.terms.needs_regulator and Guard.CASE_REGULATOR not in self.off:
            needed[1:1] = ["referred", "allowed"]
        latest = list(enumerate(state.case, start=1))[-len(needed) :]
        if [step.action for _number, step in latest] == needed:
            return [number for number, _step in latest]
        last = len(state.case)
        if Guard.CASE_APPROVED in self.off and latest:
            return [latest[0][0], last]
        if self.terms.needs_regulator and Guard.CASE_REGULATOR in self.off:
            numbers = {step.action: number for number, step in enumerate(state.case, start=1)}
            if state.case[-1].action == "approved" and "proposed" in numbers:
                return [numbers["proposed"], last]
        return []

    def _may_settle(self, state: State) -> bool:
        if not self.terms.has_stop or Guard.STOPPED in self.off:
            return True
        if [step.action for step in state.stop] != ["proposed", "resumed"]:
            return False
        first, second = state.stop
        signed = [self._verify(state, STOP, 0, number) for number in (1, 2)]
        may = ["resume_settlement" in self.terms.permissions[step.actor] for step in state.stop]
        return (
            self._is("STOP_TWO_PERSONS", first.actor != second.actor)
            and self._is("STOP_SIGNED", all(signed))
            and self._is("STOP_ENTITLED", all(may))
        )

    def _is_sendable(self, state: State) -> bool:
        numbers = range(1, len(state.bundle) + 1)
        signed = all(self._verify(state, BUNDLE, 0, number) for number in numbers)
        signers = {step.actor for step in state.bundle}
        return (
            len(state.bundle) >= APPROVERS
            and self._is("BUNDLE_SIGNED", signed)
            and self._is("BUNDLE_TWO_PERSONS", len(signers) >= APPROVERS)
        )

    def _verify(
        self,
        state: State,
        subject: str,
        number: int,
        sequence: int,
        within: frozenset[int] = frozenset(),
    ) -> bool:
        """Whether the person of the row signed it with a key in force."""
        step = state.steps(subject, number)[sequence - 1]
        given = step.signature
        if given is None:
            return Guard.ROW_SIGNED in self.off
        if given.key >= len(state.keys):
            return False  # a key that is not written yet
        key, late = state.keys[given.key], given.is_late
        text = Text(subject, number, sequence, step.action, step.effect)
        return (
            self._is("ROW_OWN_KEY", key.person == step.actor)
            and self._is("ROW_NO_DEMO_KEY", not key.is_software)
            and self._is("ROW_KEY_IN_FORCE", not late or step.is_dated_back)
            and self._is("ROW_LOG_ORDER", not late or not step.is_dated_back)
            and self._is("ROW_ASSERTION", given.hand == key.hand)
            and self._is("ROW_TEXT", given.text == text)
            and self._is("ROW_KEY_APPROVED", self._signs(state, given.key, within))
        )

    def _signs(self, state: State, number: int, within: frozenset[int]) -> bool:
        """Whether the key's approvals are signed, up to the keys that the host approved."""
        if number in within:
            return Guard.KEY_NO_CIRCLE in self.off
        key, within = state.keys[number], within | {number}
        if [step.action for step in key.steps[:1]] == ["rooted"]:
            return self._is("KEY_ROOT_NAMED", number in self.terms.roots)
        if not self._is("KEY_COMPLETE", len(key.steps) >= APPROVERS):
            return False
        persons = [key.person, *(step.actor for step in key.steps)]
        approvals = range(1, len(key.steps) + 1)
        return self._is("KEY_THREE_PERSONS", len(set(persons)) == len(persons)) and self._is(
            "KEY_APPROVALS_SIGNED",
            all(self._verify(state, KEY, number, step, within) for step in approvals),
        )

    def _is(self, guard: str, holds: bool) -> bool:
        return holds or Guard[guard] in self.off


class Forger(NamedTuple):
    """Person 0 with SQL: writes any row in anybody's name, and signs with the own keys alone."""

    terms: Terms
    most_steps: int = 4
    false_keys: int = 0

    def moves(self, state: State) -> Iterator[Move]:
        """Each row that can be written."""
        if not state.paid and len(state.case) < self.most_steps and self._is_open(state):
            for action in self._actions():
                for effect in self.terms.effects if action in {"proposed", "approved"} else (0,):
                    yield from self._rows(state, CASE, action, effect)
        if not state.plan and not state.paid:
            for effect in self.terms.effects:
                yield f"0 writes plan {effect}", state._replace(plan=effect)
        if "bundle" in self.terms.subjects and len(state.bundle) < APPROVERS:
            yield from self._rows(state, BUNDLE, "signed", 0)
        if self.terms.has_stop and len(state.stop) < APPROVERS:
            yield from self._rows(state, STOP, "resumed" if state.stop else "proposed", 0)
        yield from self._key_rows(state)

    def _is_open(self, state: State) -> bool:
        """After an approval further steps only undo it."""
        return state.case[-1].action not in {"approved", "withdrawn"}

    def _actions(self) -> tuple[str, ...]:
        letters = ("referred", "allowed") if self.terms.needs_regulator else ()
        return ("proposed", *letters, "approved")

    def _rows(self, state: State, subject: str, action: str, effect: int) -> Iterator[Move]:
        text = Text(subject, 0, len(state.steps(subject)) + 1, action, effect)
        for actor in range(len(self.terms.permissions)):
            for signature, dated_back in self._signatures(state, text):
                step = Step(action, actor, effect, signature, dated_back)
                signed = _signed(signature) + (" dated back" if dated_back else "")
                label = f"0 writes {action} {subject} {effect or ''} by {actor}, {signed}"
                yield label, state.with_step(step, subject)

    def _signatures(self, state: State, text: Text) -> Iterator[tuple[Signature | None, bool]]:
        yield None, False
        for number, key in enumerate(state.keys):
            if key.hand == ATTACKER:
                signature = Signature(number, ATTACKER, text, key.is_revoked)
                yield signature, False
                if key.is_revoked:
                    yield signature, True
            elif key.person == key.hand:  # another's key, which it has not
                yield Signature(number, ATTACKER, text), False
        for other in {step.signature for step in (*state.case, *state.bundle, *state.stop)}:
            if other is not None and other.text != text:
                yield other, False

    def _key_rows(self, state: State) -> Iterator[Move]:
        """A further key in another's name with all of its approvals, as one transaction writes."""
        number = len(state.keys)
        if number >= len(self.terms.permissions) + self.false_keys:
            return
        for person in range(1, len(self.terms.permissions)):
            rooted = Key(person, ATTACKER, (Step("rooted", ATTACKER),))
            yield f"0 writes key {number} of {person}, approved by the host", _with(state, rooted)
            for first in self._approvals(state, number, 1):
                key = Key(person, ATTACKER, (first,))
                yield f"0 writes key {number} of {person}, {_by(key)}", _with(state, key)
                for second in self._approvals(state, number, 2):
                    key = Key(person, ATTACKER, (first, second))
                    yield f"0 writes key {number} of {person}, {_by(key)}", _with(state, key)

    def _approvals(self, state: State, number: int, sequence: int) -> Iterator[Step]:
        text = Text(KEY, number, sequence, "approved", 0)
        own = [own for own, key in enumerate(state.keys) if key.hand == ATTACKER]
        last = len(self.terms.permissions) + self.false_keys
        for actor in range(len(self.terms.permissions)):
            yield Step("approved", actor)
            for key in {*own, *range(number, last)}:
                yield Step("approved", actor, 0, Signature(key, ATTACKER, text))


def _with(state: State, key: Key) -> State:
    return state._replace(keys=(*state.keys, key))


def _signed(signature: Signature | None) -> str:
    if signature is None:
        return "unsigned"
    return f"signature of {signature.hand} with key {signature.key}: {signature.text.action}"


def _by(key: Key) -> str:
    return "approved by " + " and ".join(
        f"{step.actor} ({_signed(step.signature)})" for step in key.steps
    )
