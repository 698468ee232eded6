"""Proposing the remedy of a case, on the effect that the proposer saw.

A proposal is signed: both services raise as ``record_decision`` too.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.cases.decisions import RoundDecision, compute_decisions, decision_rule
from payouts.cases.effect import Effect, effect_of
from payouts.cases.models import Case, CasePlan, CaseStep
from payouts.cases.remedies import Remedy
from payouts.cases.status import PROPOSABLE
from payouts.cases.steps import add_case_step, lock_case
from payouts.settlement.four_eyes import require_reason
from rounds.row_mapping import ruling_column, ruling_of
from rounds.rules.money import format_cents
from rounds.rules.ruling import Ruling

_REMEDIES: Final[Mapping[str, tuple[Remedy, ...]]] = {
    Case.Kind.MALFUNCTION: (Remedy.VOID, Remedy.REAL_RESULT, Remedy.WITHOUT_BONUS),
    Case.Kind.CORRECTION: (Remedy.CORRECT,),
    Case.Kind.RELEASE: (Remedy.BY_RULES, Remedy.REAL_RESULT, Remedy.VOID),
    Case.Kind.REFUND: (Remedy.REFUND_BETS,),
}
"""The remedies of cases about rounds. A goodwill credit is about no round."""


class InvalidCaseRemedy(StepError):
    """A remedy that this kind of case does not allow, or that lacks its ruling."""


class RoundNotHeld(StepError):
    """A release of a round that is not held. Settled rounds are corrected, voided or refunded."""


class RoundsNotDecidable(StepError):
    """Some rounds cannot be settled by the remedy, or nothing would change."""

    def __init__(self, effect: Effect) -> None:
        found = ", ".join(obstacle.reference for obstacle in effect.obstacles) or "no change"
        super().__init__(f"found {found}; needed rounds that can all be settled so")
        self.effect = effect


class EffectChanged(StepError):
    """The effect of the decision is no longer the one that the person saw."""

    def __init__(self, effect: Effect) -> None:
        super().__init__("found another effect than the one that was shown; look again")
        self.effect = effect


def propose_case(
    *,
    case_id: int,
    seen: int,
    remedy: Remedy,
    ruling: Ruling | None = None,
    effect_digest: bytes,
    note: str,
    at: datetime,
    actor: Actor,
) -> CaseStep:
    """Proposes a remedy for all rounds of a case. Another person decides.

    ``ruling`` is required by the remedies that change facts or refund bets; ``effect_digest`` is
    the digest of the effect that the proposer saw. Raises ReasonRequired, InvalidCaseRemedy,
    RoundNotHeld, RoundsNotDecidable, EffectChanged, StaleState, WrongStatus or PersonRequired.
    """
    note = require_reason(note)
    with transaction.atomic():
        case = lock_case(case_id, seen=seen, needed=PROPOSABLE).case
        check_remedy(case, remedy, ruling)
        decisions, effect = decisions_of_case(case, remedy, ruling)
        if case.kind == Case.Kind.RELEASE and any(decision.after for decision in decisions):
            raise RoundNotHeld("found a settled round; needed a held one")
        if effect.obstacles or effect.changes_nothing:
            raise RoundsNotDecidable(effect)
        if effect.digest != effect_digest:
            raise EffectChanged(effect)
        column = None if ruling is None else ruling_column(ruling)
        _create_plan(case, decisions, sequence=seen + 1)
        return add_case_step(
            case,
            CaseStep.Action.PROPOSED,
            sequence=seen + 1,
            note=note,
            at=at,
            actor=actor,
            remedy=remedy.value,
            ruling=column,
            effect=effect.totals,
            effect_digest=effect.digest,
        )


def _create_plan(case: Case, decisions: Sequence[RoundDecision], *, sequence: int) -> None:
    """Stores what each bet would be paid, in the order of execution."""
    CasePlan.objects.bulk_create(
        CasePlan(case=case, sequence=sequence, number=number, **decision.planned._asdict())
        for number, decision in enumerate(decisions, start=1)
    )


def check_remedy(case: Case, remedy: Remedy, ruling: Ruling | None) -> None:
    """Raises InvalidCaseRemedy unless this kind of case allows the remedy."""
    fits = remedy in _REMEDIES.get(case.kind, ())
    if remedy is Remedy.CORRECT:
        fits &= ruling is not None and ruling.changes_facts
    elif remedy is Remedy.REFUND_BETS:
        fits &= ruling is not None and bool(ruling.refunded)
    else:
        fits &= ruling is None
    if not fits:
        raise InvalidCaseRemedy(f"found {remedy.value} in a case of {case.kind}")


def decisions_of_case(
    case: Case, remedy: Remedy, ruling: Ruling | None
) -> tuple[list[RoundDecision], Effect]:
    """The remedy's decision on each round of a case, and its effect, as of now."""
    ids = list(case.rounds.order_by("number").values_list("round_id", flat=True))
    decisions, obstacles = compute_decisions(ids, decision_rule(remedy, ruling))
    return decisions, effect_of(decisions, obstacles)


def effect_of_case(case: Case, remedy: Remedy, ruling: Ruling | None) -> Effect:
    """The effect of a remedy on all rounds of a case, as of now."""
    return decisions_of_case(case, remedy, ruling)[1]


def ruling_of_step(step: CaseStep) -> Ruling | None:
    """The ruling of a proposal."""
    return None if step.ruling is None else ruling_of(step.ruling)


def digest_of_credit(customer_id: int, cents: int) -> bytes:
    """SHA-256 over the customer and the cents of a goodwill credit."""
    return hashlib.sha256(f"goodwill\t{customer_id}\t{cents}\n".encode()).digest()


def propose_credit(
    *, case_id: int, seen: int, customer_id: int, cents: int, note: str, at: datetime, actor: Actor
) -> CaseStep:
    """Proposes a goodwill credit in cash. Another person decides.

    Raises ReasonRequired, InvalidCaseRemedy, StaleState, WrongStatus or PersonRequired.
    """
    note = require_reason(note)
    with transaction.atomic():
        case = lock_case(case_id, seen=seen, needed=PROPOSABLE).case
        if case.kind != Case.Kind.GOODWILL or cents <= 0:
            found = f"{format_cents(cents)} in a case of {case.kind}"
            raise InvalidCaseRemedy(
                f"found {found}; needed an amount above nothing in one of goodwill"
            )
        effect: dict[str, Any] = {"customers": 1, "credited": cents, "net": cents}
        return add_case_step(
            case,
            CaseStep.Action.PROPOSED,
            sequence=seen + 1,
            note=note,
            at=at,
            actor=actor,
            remedy=Remedy.CREDIT.value,
            customer_id=customer_id,
            cents=cents,
            effect=effect,
            effect_digest=digest_of_credit(customer_id, cents),
        )
