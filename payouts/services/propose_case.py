"""Proposing what a case decides, on an effect that the proposer saw."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.cases.decisions import RoundDecision, decisions_on, rule_of
from payouts.cases.effect import Effect, effect_as_json, effect_of
from payouts.cases.remedies import Remedy
from payouts.cases.standing import PROPOSABLE
from payouts.models import Case, CaseStep
from payouts.services.case_steps import CaseRefusal, add_case_step, hold_case
from payouts.services.two_persons import NoReason
from rounds.rules.money import format_cents
from rounds.rules.ruling import Ruling
from rounds.rulings import ruling_column, ruling_of

_REMEDIES: Final[Mapping[str, tuple[Remedy, ...]]] = {
    Case.Kind.MALFUNCTION: (Remedy.VOID, Remedy.REAL_RESULT, Remedy.WITHOUT_BONUS),
    Case.Kind.CORRECTION: (Remedy.CORRECT,),
    Case.Kind.RELEASE: (Remedy.REAL_RESULT, Remedy.VOID),
    Case.Kind.REFUND: (Remedy.REFUND_BETS,),
}
"""What a case about rounds can decide; a goodwill credit decides about none."""


class NotItsRemedy(CaseRefusal):
    """A remedy that cases of this kind do not have, or one without what it needs."""


class NotHeld(CaseRefusal):
    """A release of a round that is not held: what was settled is corrected, voided or refunded."""


class CannotBeDecided(CaseRefusal):
    """Some rounds cannot be settled so, or nothing would change."""

    def __init__(self, effect: Effect) -> None:
        told = ", ".join(one.reference for one in effect.obstacles) or "no change"
        super().__init__(f"found {told}; needed rounds that can all be settled so")
        self.effect = effect


class EffectChanged(CaseRefusal):
    """What the decision does is no longer what the person saw."""

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
    """Proposes a remedy for all rounds of a case; another person decides.

    ``ruling`` is how the round is read where the remedy needs that said; ``effect_digest`` is that
    of the effect which the proposer saw. Raises NoReason, NotItsRemedy, NotHeld,
    CannotBeDecided, EffectChanged, CaseMoved, NotAtThisStage or NotNamed.
    """
    if not note.strip():
        raise NoReason("found no reason; needed one in words")
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=PROPOSABLE)
        check_remedy(held.case, remedy, ruling)
        decisions, effect = decisions_of_case(held.case, remedy, ruling)
        if held.case.kind == Case.Kind.RELEASE and any(one.after for one in decisions):
            raise NotHeld("found a settled round; needed a held one")
        if effect.obstacles or effect.changes_nothing:
            raise CannotBeDecided(effect)
        if effect.digest != effect_digest:
            raise EffectChanged(effect)
        said = None if ruling is None else ruling_column(ruling)
        totals = effect_as_json(effect)
        return add_case_step(
            held.case,
            CaseStep.Action.PROPOSED,
            sequence=seen + 1,
            note=note.strip(),
            at=at,
            actor=actor,
            told={"remedy": remedy.value, "ruling": said, "effect": totals},
            remedy=remedy.value,
            ruling=said,
            effect=totals,
            effect_digest=effect.digest,
        )


def check_remedy(case: Case, remedy: Remedy, ruling: Ruling | None) -> None:
    """That a case of this kind may decide so. Raises NotItsRemedy."""
    fits = remedy in _REMEDIES.get(case.kind, ())
    if remedy is Remedy.CORRECT:
        fits &= ruling is not None and ruling.changes_facts
    elif remedy is Remedy.REFUND_BETS:
        fits &= ruling is not None and bool(ruling.refunded)
    else:
        fits &= ruling is None
    if not fits:
        raise NotItsRemedy(f"found {remedy.value} in a case of {case.kind}")


def decisions_of_case(
    case: Case, remedy: Remedy, ruling: Ruling | None
) -> tuple[list[RoundDecision], Effect]:
    """What the remedy makes of each round of a case, and its effect, as of this moment."""
    ids = list(case.rounds.order_by("number").values_list("round_id", flat=True))
    decisions, obstacles = decisions_on(ids, rule_of(remedy, ruling))
    return decisions, effect_of(decisions, obstacles)


def effect_of_case(case: Case, remedy: Remedy, ruling: Ruling | None) -> Effect:
    """The effect of a remedy on all rounds of a case, as of this moment."""
    return decisions_of_case(case, remedy, ruling)[1]


def ruling_of_step(step: CaseStep) -> Ruling | None:
    """The ruling that a proposal says."""
    return None if step.ruling is None else ruling_of(step.ruling)


def digest_of_credit(customer_id: int, cents: int) -> bytes:
    """SHA-256 over the customer and the cents of a goodwill credit."""
    return hashlib.sha256(f"goodwill\t{customer_id}\t{cents}\n".encode()).digest()


def propose_credit(
    *, case_id: int, seen: int, customer_id: int, cents: int, note: str, at: datetime, actor: Actor
) -> CaseStep:
    """Proposes a goodwill credit in cash; another person decides.

    Raises NoReason, NotItsRemedy, CaseMoved, NotAtThisStage or NotNamed.
    """
    if not note.strip():
        raise NoReason("found no reason; needed one in words")
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=PROPOSABLE)
        if held.case.kind != Case.Kind.GOODWILL or cents <= 0:
            found = f"{format_cents(cents)} in a case of {held.case.kind}"
            raise NotItsRemedy(f"found {found}; needed an amount above nothing in one of goodwill")
        effect: dict[str, Any] = {"customers": 1, "credited": cents, "net": cents}
        return add_case_step(
            held.case,
            CaseStep.Action.PROPOSED,
            sequence=seen + 1,
            note=note.strip(),
            at=at,
            actor=actor,
            told={"remedy": Remedy.CREDIT.value, "amount": format_cents(cents)},
            remedy=Remedy.CREDIT.value,
            customer_id=customer_id,
            cents=cents,
            effect=effect,
            effect_digest=digest_of_credit(customer_id, cents),
        )
