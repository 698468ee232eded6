"""Moves through the services: persons act, each guard of a service may refuse.

Person 0 may have taken over the session of anybody, but has no hand on the keys of others.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from tests.decisions.guards import Guard
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

Move = tuple[str, State]
_APPROVED_NEXT: Final = {"proposed", "allowed"}


class Services(NamedTuple):
    """The services under some terms, without the guards that are off."""

    terms: Terms
    off: Collection[Guard] = ()
    most_steps: int = 4
    """Of a case, its opening included."""
    actors_of_attacker: Collection[int] = (ATTACKER,)
    """Whose sessions person 0 has."""
    delivers: bool = True
    """Whether bundles are sent that only rows say are signed."""

    def moves(self, state: State) -> Iterator[Move]:
        """Every move that the services let through."""
        for hand in range(len(self.terms.permissions)):
            for actor in self.actors_of_attacker if hand == ATTACKER else (hand,):
                yield from self._moves_of(state, hand, actor)

    def _moves_of(self, state: State, hand: int, actor: int) -> Iterator[Move]:
        yield from self._about_case(state, hand, actor)
        yield from self._about_keys(state, hand, actor)
        if "bundle" in self.terms.subjects:
            yield from self._about_bundle(state, hand, actor)
        if self.terms.has_stop:
            yield from self._about_stop(state, hand, actor)

    def _about_case(self, state: State, hand: int, actor: int) -> Iterator[Move]:
        latest, room = state.case[-1].action, self.most_steps - len(state.case)
        if state.paid or latest == "approved":
            return
        if latest in {"opened", "rejected", "refused"} and room >= self._least_room():
            for effect in self.terms.effects:
                yield from self._signed(state, hand, actor, CASE, "proposed", effect)
        if self.terms.needs_regulator and room > 1:
            if latest == "proposed":
                yield from self._signed(state, hand, actor, CASE, "referred")
            if latest == "referred":
                yield from self._signed(state, hand, actor, CASE, "allowed")
                yield from self._signed(state, hand, actor, CASE, "refused")
        yield from self._decisions(state, hand, actor)
        if latest in {"opened", "rejected", "proposed", "referred", "allowed"} and room:
            yield from self._signed(state, hand, actor, CASE, "withdrawn")

    def _least_room(self) -> int:
        """Proposals that cannot be approved any more in the scope are left out."""
        return 4 if self.terms.needs_regulator else 2

    def _decisions(self, state: State, hand: int, actor: int) -> Iterator[Move]:
        latest, room = state.case[-1].action, self.most_steps - len(state.case)
        proposals = [step for step in state.case if step.action == "proposed"]
        may = self._is("PERMISSION", "approve_decision" in self.terms.permissions[actor])
        stage = self._is("APPROVABLE", latest in _APPROVED_NEXT)
        others = self._is("NOT_PROPOSER", all(step.actor != actor for step in proposals))
        others = others and self._is("NOT_OPENER", state.case[0].actor != actor)
        if not (may and others and room):
            return
        if latest in _APPROVED_NEXT and room > self._least_room():
            yield from self._signed(state, hand, actor, CASE, "rejected")
        if not stage:
            return
        if self.terms.needs_regulator and not self._is("REGULATOR", latest == "allowed"):
            return
        proposed = proposals[-1].effect if proposals else 1
        for effect in self.terms.effects:
            for seen in {len(state.case), max(len(state.case) - 2, 1)}:
                if self._is("EFFECT_SEEN", effect == proposed) and self._is(
                    "SEEN", seen == len(state.case)
                ):
                    yield from self._signed(
                        state, hand, actor, CASE, "approved", effect, sequence=seen + 1
                    )

    def _about_keys(self, state: State, hand: int, actor: int) -> Iterator[Move]:
        for number, key in enumerate(state.keys):
            approvals = [step for step in key.steps if step.action == "approved"]
            if number in self.terms.roots or len(approvals) >= APPROVERS:
                continue
            if hand != ATTACKER and key.hand != key.person:
                continue  # honest persons look at whose key it is
            holder = self._is("NOT_HOLDER", key.person != actor)
            another = self._is("ANOTHER_APPROVER", all(step.actor != actor for step in approvals))
            if holder and another and "keys" in self.terms.subjects:
                yield from self._signed(state, hand, actor, KEY, "approved", 0, number)

    def _about_bundle(self, state: State, hand: int, actor: int) -> Iterator[Move]:
        signers = {step.actor for step in state.bundle}
        if state.is_sent:
            return
        if len(state.bundle) < APPROVERS and self._is("ANOTHER_SIGNER", actor not in signers):
            yield from self._signed(state, hand, actor, BUNDLE, "signed")
        if self.delivers and self._is("SENDABLE", len(state.bundle) >= APPROVERS):
            yield f"{_who(hand, actor)} sends the bundle", state._replace(is_sent=True)

    def _about_stop(self, state: State, hand: int, actor: int) -> Iterator[Move]:
        if len(state.stop) >= APPROVERS:
            return
        entitled = "resume_settlement" in self.terms.permissions[actor]
        another = all(step.actor != actor for step in state.stop)
        if self._is("MAY_RESUME", entitled) and self._is("ANOTHER_RESUMES", another):
            action = "resumed" if state.stop else "proposed"
            yield from self._signed(state, hand, actor, STOP, action)

    def _signed(
        self,
        state: State,
        hand: int,
        actor: int,
        subject: str,
        action: str,
        effect: int = 0,
        number: int = 0,
        sequence: int = 0,
    ) -> Iterator[Move]:
        """The step with each signature that the services accept."""
        sequence = sequence or len(state.steps(subject, number)) + 1
        text = Text(subject, number, sequence, action, effect)
        label = f"{_who(hand, actor)} {action} {subject} {number or ''} {effect or ''}".rstrip()
        if Guard.SIGNED in self.off:
            yield (
                f"{label}, unsigned",
                state.with_step(Step(action, actor, effect), subject, number),
            )
        for key, row in enumerate(state.keys):
            if self._accepts(row, key, hand, actor):
                step = Step(action, actor, effect, Signature(key, hand, text))
                yield f"{label}, key {key}", state.with_step(step, subject, number)

    def _accepts(self, row: Key, key: int, hand: int, actor: int) -> bool:
        if hand not in {ATTACKER, key}:
            return False  # honest persons sign with their keys
        needed = 1 if Guard.TWO_APPROVALS in self.off else APPROVERS
        approvals = [step for step in row.steps if step.action == "approved"]
        in_force = key in self.terms.roots or len(approvals) >= needed
        return (
            self._is("OWN_KEY", row.person == actor)
            and self._is("KEY_IN_FORCE", in_force and not row.is_revoked)
            and self._is("ASSERTION", row.hand == hand)
        )

    def _is(self, guard: str, holds: bool) -> bool:
        return holds or Guard[guard] in self.off


def _who(hand: int, actor: int) -> str:
    return f"{hand}" if hand == actor else f"{hand} as {actor}"


def paid_by_rows(state: State, terms: Terms) -> Iterator[Move]:
    """What a worker pays that believes rows: then the services alone have to suffice."""
    if terms.has_stop and len(state.stop) < APPROVERS:
        return
    proposals = [step.effect for step in state.case if step.action == "proposed"]
    if state.case[-1].action == "approved" and not state.paid:
        paid = state.plan or (proposals[-1] if proposals else state.case[-1].effect)
        yield f"worker pays {paid}", state._replace(paid=paid)
