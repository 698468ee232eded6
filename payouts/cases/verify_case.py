"""What a worker verifies before it executes a case: signatures are believed, rows are not.

Proposal and approval must be signed by two persons who had a role for it by signed decisions, each
naming the same effect, and the rows that say what is to be done must be that effect.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from compliance.signatures.log_order import is_logged_after
from compliance.signatures.signature_verifier import SignatureVerifier, UnsignedDecision
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.decisions import PlannedSettlement, digest_of_plan
from payouts.cases.models import Case, CasePlan, CaseStep, CaseWork
from payouts.cases.propose_case import digest_of_credit
from payouts.cases.reasons_in_force import changes_of, is_in_order
from payouts.cases.remedies import Remedy
from payouts.cases.status import steps_of_case
from payouts.settlement.bet_results import paid_grades
from payouts.settlement.four_eyes import FourEyesRequired, four_eyes_decision

Action = CaseStep.Action


class InvalidDecision(Exception):
    """The case was not decided by two persons' signatures on what its rows say."""


class ApprovedProposal(NamedTuple):
    """A proposal and its approval, both verified."""

    proposal: CaseStep
    approval: CaseStep
    is_signed: bool
    """False if it was decided before decisions were signed: its plan proves nothing."""

    def credit(self) -> tuple[int, int]:
        """Customer and cents of the credit. Raises InvalidDecision."""
        customer_id, cents = self.proposal.customer_id or 0, self.proposal.cents or 0
        self._require_digest(digest_of_credit(customer_id, cents))
        return customer_id, cents

    def settlement(self, work: CaseWork) -> PlannedSettlement:
        """The settlement of the round of a work item. Raises InvalidDecision."""
        key = (self.proposal.case_id, self.proposal.sequence)
        plan = _signed_plan(*key, self._digest)
        planned = None if work.round_id is None else plan.get(work.round_id)
        if planned is None:
            raise InvalidDecision(f"{self.proposal.case}: found a settlement that nobody approved")
        return planned

    def require_settled(self, planned: PlannedSettlement, sequence: int) -> None:
        """Raises InvalidDecision unless this settlement pays what both persons saw."""
        grades = paid_grades(planned.round_id, sequence)
        if sequence != planned.after + 1:
            raise InvalidDecision(f"{self.proposal.case}: found another settlement than it made")
        if PlannedSettlement.of(planned.round_id, planned.after, grades) != planned:
            raise InvalidDecision(f"{self.proposal.case}: found other payouts than were approved")

    def _require_digest(self, digest: bytes) -> None:
        if self._digest != digest:
            raise InvalidDecision(f"{self.proposal.case}: found a credit that nobody approved")

    @property
    def is_credit(self) -> bool:
        """Whether it is a credit, and no settlement of rounds."""
        return self.proposal.remedy == Remedy.CREDIT.value

    @property
    def _digest(self) -> bytes:
        return bytes(self.proposal.effect_digest or b"")


def verified_proposal(case: Case, verifier: SignatureVerifier | None = None) -> ApprovedProposal:
    """The approved proposal of a case. Raises InvalidDecision."""
    steps = _latest_decision(case)
    verifier = verifier or SignatureVerifier()
    signed = [verify_step(case, step, verifier) for step in steps]
    proposal, approval = steps[0], steps[-1]
    _require_two_persons(case, proposal, approval)
    _require_one_effect(case, proposal, approval)
    _require_one_remedy(case, proposal, approval)
    is_signed = all(signed)
    if is_signed:
        _require_stated_reason(case, verifier)
    return ApprovedProposal(proposal, approval, is_signed)


def verify_step(case: Case, step: CaseStep, verifier: SignatureVerifier) -> bool:
    """Whether the step is signed; false from before signatures. Raises InvalidDecision."""
    try:
        return verifier.verify_row(step)
    except UnsignedDecision as error:
        raise InvalidDecision(f"{case}, {step.action} by {step.actor}: {error}") from error


def _latest_decision(case: Case) -> list[CaseStep]:
    """The latest proposal, the regulator's permission if it needs one, and its approval."""
    needed: list[CaseStep.Action] = [Action.PROPOSED, Action.APPROVED]
    if case.needs_regulator:
        needed[1:1] = [Action.REFERRED, Action.ALLOWED]
    latest = list(steps_of_case(case))[-len(needed) :]
    if [step.action for step in latest] != needed:
        raise InvalidDecision(f"{case}: found no proposal that was approved")
    return latest


def _require_two_persons(case: Case, proposal: CaseStep, approval: CaseStep) -> None:
    approver = Actor(approval.actor, approval.actor_user_id)
    for author in (Actor(proposal.actor, proposal.actor_user_id), _opener(case)):
        try:
            four_eyes_decision(
                actor=author, approved_by=approver, reason=approval.note, at=approval.at
            )
        except FourEyesRequired as error:
            raise InvalidDecision(f"{case}: {error}") from error


def _require_one_effect(case: Case, proposal: CaseStep, approval: CaseStep) -> None:
    if bytes(approval.effect_digest or b"") != bytes(proposal.effect_digest or b""):
        raise InvalidDecision(f"{case}: found two effects; needed one that both persons saw")


def _require_one_remedy(case: Case, proposal: CaseStep, approval: CaseStep) -> None:
    if approval.remedy != proposal.remedy:
        raise InvalidDecision(f"{case}: found {approval.remedy} approved, not {proposal.remedy}")


def _require_stated_reason(case: Case, verifier: SignatureVerifier) -> None:
    """Raises InvalidDecision unless the case states a reason as it was in force when it opened.

    The reason says whether the regulator decides first. The log says when the case opened.
    """
    reason = case.reason
    stated = (case.kind, case.reason_it, case.reason_en, case.needs_regulator)
    if stated != (reason.purpose, reason.text_it, reason.text_en, reason.needs_regulator):
        raise InvalidDecision(f"{case}: found another reason than {reason.code} states")
    if not is_in_order(reason, verifier):
        raise InvalidDecision(f"{case}: found a version of {reason.code} that nobody signed")
    openings = AuditRecord.objects.filter(subject=f"case:{case}", action="CASE_OPENED")
    opening = openings.order_by("-id").first()
    for change in changes_of(reason, verifier):
        if opening is None or is_logged_after(opening, change):
            raise InvalidDecision(f"{case}: found {reason.code} as it was before a change")


def _opener(case: Case) -> Actor:
    return Actor(case.actor, case.actor_user_id or None)


@lru_cache(maxsize=8)  # the digest names the rows, so that what is kept cannot be wrong
def _signed_plan(case_id: int, sequence: int, digest: bytes) -> Mapping[UUID, PlannedSettlement]:
    rows = CasePlan.objects.filter(case_id=case_id, sequence=sequence)
    settlements = map(PlannedSettlement._make, rows.values_list(*PlannedSettlement._fields))
    plan = {planned.round_id: planned for planned in settlements}
    _require_plan(plan, digest, case_id=case_id)
    return plan


def _require_plan(plan: Mapping[UUID, PlannedSettlement], digest: bytes, *, case_id: int) -> None:
    if digest_of_plan(plan.values()) != digest:
        raise InvalidDecision(f"case {case_id}: found another plan than both persons saw")
