"""Disputes for tests: Anna opens, Paolo decides; Giulia and Lorenzo sign cases."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from compliance.trail.actor import Actor
from payouts.cases.models import Case, Reason
from payouts.cases.remedies import Remedy
from payouts.disputes.close_dispute import (
    advance_remedied_dispute,
    close_dispute,
    escalate_dispute,
    record_outside_answer,
    reopen_dispute,
)
from payouts.disputes.decide_dispute import (
    Heading,
    reject_dispute,
    uphold_dispute,
)
from payouts.disputes.models import Dispute, DisputeRemedy, DisputeStep
from payouts.disputes.open_dispute import Contested, open_dispute
from payouts.disputes.remedies import RequestedRemedy, Way, effect_of_remedy
from payouts.disputes.review_dispute import answer_dispute, ask_customer, take_dispute
from payouts.disputes.status import State, dispute_statuses
from payouts.regulator_letters import Letter
from rounds.models import Customer
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, execute
from tests.payouts.settlement.resettlement_scenarios import (
    LORENZO,
    stored,
    void,
)
from tests.signers import signing

ANNA: Final = signing("Anna Conti", 70_007)
PAOLO: Final = signing("Paolo Riva", 80_008)
PROGRAM: Final = Actor("Customer service (key xxxxxxxxxxxx)")
TEXT: Final = "I had Player and it won."
REASONS: Final = "The cards show that Player won."
CITED: Final = (Heading("BAC", "Regole del baccarat"),)
LETTER: Final = Letter("ADR 12/2026", date(2026, 12, 1))


def play(*documents: object) -> None:
    """A baccarat table with these rounds, settled; one round by default."""
    open_table()
    ingest(lines(*(documents or (baccarat_round("r-1"),))))
    settle()


def customer(pseudonym: str = "p-1") -> Customer:
    """The customer with this pseudonym."""
    return Customer.objects.get(pseudonym=pseudonym)


def disputed(reference: str = "r-1", pseudonym: str = "p-1", **other: Any) -> Dispute:
    """Anna opens a dispute for a customer."""
    arguments: dict[str, Any] = {
        "round_id": stored(reference).id,
        "customer_id": customer(pseudonym).pk,
        "reason": Dispute.Reason.WRONG_PAYOUT,
        "text": TEXT,
        "language": Dispute.Language.ITALIAN,
    }
    around: dict[str, Any] = {"opened_by": Dispute.OpenedBy.PERSON, "at": NOW, "actor": ANNA}
    for name in ("opened_by", "files", "is_shared", "at", "actor"):
        if name in other:
            around[name] = other.pop(name)
    return open_dispute(contested=Contested(**(arguments | other)), **around)


def seen(dispute: Dispute) -> int:
    """The sequence of the latest step."""
    return DisputeStep.objects.filter(dispute=dispute).count()


def refund(reason: str = "bet-not-intended", *, bets: tuple[int, ...] = (0,)) -> RequestedRemedy:
    """A refund of these bets."""
    return RequestedRemedy(Way.REFUND, Reason.objects.get(code=reason), bets=frozenset(bets))


def credit(cents: int = 1000, *others: str) -> RequestedRemedy:
    """A credit for the customer, and for these others."""
    reason = Reason.objects.get(code="service-failure")
    ids = frozenset(customer(pseudonym).pk for pseudonym in others)
    return RequestedRemedy(Way.GOODWILL, reason, cents=cents, others=ids)


def resettled(remedy: Remedy = Remedy.REAL_RESULT) -> RequestedRemedy:
    """A resettlement of the round."""
    return RequestedRemedy(Way.RESETTLE, Reason.objects.get(code="dealing-error"), remedy)


def looked_at(dispute: Dispute, requested: RequestedRemedy) -> RequestedRemedy:
    """The remedy with its current effect."""
    effect = effect_of_remedy(dispute, requested)
    return requested if effect is None else requested._replace(effect_digest=effect.digest)


def uphold(dispute: Dispute, requested: RequestedRemedy, **other: Any) -> DisputeStep:
    """Paolo upholds with a remedy."""
    arguments: dict[str, Any] = {
        "dispute_id": dispute.pk,
        "seen": seen(dispute),
        "is_whole": True,
        "note": REASONS,
        "citations": CITED,
        "remedy": looked_at(dispute, requested),
        "at": NOW,
        "actor": PAOLO,
    }
    return uphold_dispute(**(arguments | other))


def _step_fields(dispute: Dispute, **other: Any) -> dict[str, Any]:
    return {"dispute_id": dispute.pk, "seen": seen(dispute), "at": NOW, "actor": PAOLO, **other}


def take(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo takes the dispute."""
    return take_dispute(**_step_fields(dispute, **other))


def ask(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo asks the customer."""
    return ask_customer(**_step_fields(dispute, **{"note": "Which box?", **other}))


def answer(dispute: Dispute, **other: Any) -> DisputeStep:
    """Anna enters the customer's answer."""
    return answer_dispute(**_step_fields(dispute, **{"note": "The third.", "actor": ANNA, **other}))


def reject(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo rejects."""
    return reject_dispute(**_step_fields(dispute, **{"note": REASONS, "citations": CITED, **other}))


def partly(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo upholds in part, with a credit."""
    return uphold(dispute, credit(), is_whole=False, **other)


def whole(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo upholds, with a credit."""
    return uphold(dispute, credit(), **other)


def close(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo closes."""
    return close_dispute(**_step_fields(dispute, **other))


def escalate(dispute: Dispute, **other: Any) -> DisputeStep:
    """The customer goes to the outside body."""
    return escalate_dispute(**_step_fields(dispute, **{"letter": LETTER, **other}))


def confirm(dispute: Dispute, **other: Any) -> DisputeStep:
    """The outside body confirms."""
    arguments = {"letter": LETTER, "is_confirmed": True}
    return record_outside_answer(**_step_fields(dispute, **{**arguments, **other}))


def overturn(dispute: Dispute, **other: Any) -> DisputeStep:
    """The outside body overturns."""
    arguments = {"letter": LETTER, "is_confirmed": False}
    return record_outside_answer(**_step_fields(dispute, **{**arguments, **other}))


def reopen(dispute: Dispute, **other: Any) -> DisputeStep:
    """Paolo reopens."""
    return reopen_dispute(**_step_fields(dispute, **{"note": "A video turned up.", **other}))


def executed(dispute: Dispute) -> DisputeStep | None:
    """Lorenzo approves the remedy, the workers execute it, the dispute follows."""
    case = own_case(dispute)
    approve(case, actor=LORENZO)
    execute(case, at=NOW)
    return advance_remedied_dispute(dispute_id=dispute.pk, at=NOW)


def own_case(dispute: Dispute) -> Case:
    """The case of the latest decision for the customer."""
    own = DisputeRemedy.objects.filter(dispute=dispute, is_own=True).order_by("-sequence")
    return own.select_related("case")[0].case


Verb = Callable[..., DisputeStep]
VERBS: Final[dict[str, Verb]] = {
    "taken": take,
    "asked": ask,
    "answered": answer,
    "upheld": whole,
    "partly_upheld": partly,
    "rejected": reject,
    "closed": close,
    "escalated": escalate,
    "confirmed": confirm,
    "overturned": overturn,
    "reopened": reopen,
}
"""By what they add to the history."""


def voided_wrongly(reference: str = "r-1") -> None:
    """Two persons voided a round that complied with its rules."""
    void(reference, after=1)


@dataclass
class InReview:
    """A dispute in review."""

    dispute: Dispute

    def state(self) -> State:
        """Its current state."""
        return dispute_statuses([self.dispute])[self.dispute.pk].state


def in_review(**other: Any) -> InReview:
    """A dispute about r-1 in review."""
    dispute = disputed(**other)
    take(dispute)
    return InReview(dispute)


def state_of(dispute: Dispute) -> State:
    """The current state of the dispute."""
    return dispute_statuses([dispute])[dispute.pk].state
