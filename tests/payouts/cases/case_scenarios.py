"""Cases for tests: Giulia opens and proposes, Lorenzo approves, the workers execute."""

from datetime import datetime
from typing import Any, Final

from compliance.trail.actor import Actor
from payouts.cases.decide_case import approve_case
from payouts.cases.effect import Effect
from payouts.cases.models import Case, CaseRun, CaseStep, CaseWork
from payouts.cases.open_case import open_case
from payouts.cases.propose_case import effect_of_case, propose_case, propose_credit
from payouts.cases.reasons_in_force import reasons_in_force
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from rounds.models import Customer
from rounds.rules.ruling import Ruling
from tests.casino_in_play import NOW, by_now
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, stored

REASONS: Final = {
    "malfunction": "card-reader",
    "correction": "misread-card",
    "release": "checked-on-video",
    "refund": "bet-not-intended",
    "goodwill": "service-failure",
}
TEXT: Final = "The reader read cards twice."
NOTE: Final = "Seen on the video."

NO_EXTRA_CARD: Final = Ruling(cards=(("P", "4S"), ("B", "7H"), ("P", "5D"), ("B", "TC")))
"""The held baccarat round of the tests without its card too many."""


def opened(kind: str, *references: str, **other: Any) -> Case:
    """Giulia opens a case about these rounds."""
    reason = reasons_in_force().get(code=other.pop("reason", REASONS[kind]))
    arguments: dict[str, Any] = {
        "kind": Case.Kind(kind),
        "reason": reason,
        "text": TEXT,
        "round_ids": [stored(reference).id for reference in references],
        "at": NOW,
        "actor": GIULIA,
    }
    return open_case(**(arguments | other))


def effect(case: Case, remedy: Remedy, ruling: Ruling | None = None) -> Effect:
    """The current effect of a remedy."""
    return effect_of_case(case, remedy, ruling)


def propose(
    case: Case,
    remedy: Remedy,
    ruling: Ruling | None = None,
    *,
    seen: int = 1,
    **other: Any,
) -> CaseStep:
    """Giulia proposes a remedy with its current effect."""
    arguments: dict[str, Any] = {
        "case_id": case.pk,
        "seen": seen,
        "remedy": remedy,
        "ruling": ruling,
        "note": NOTE,
        "at": NOW,
        "actor": GIULIA,
    }
    if "effect_digest" not in other:
        arguments["effect_digest"] = effect(case, remedy, ruling).digest
    return propose_case(**(arguments | other))


def approve(case: Case, *, seen: int = 2, actor: Actor = LORENZO, **other: Any) -> CaseRun:
    """Lorenzo approves Giulia's proposal."""
    proposal = CaseStep.objects.filter(case=case, action="proposed").order_by("-sequence")[0]
    arguments: dict[str, Any] = {
        "case_id": case.pk,
        "seen": seen,
        "effect_digest": bytes(proposal.effect_digest or b""),
        "note": "Agreed.",
        "at": NOW,
        "actor": actor,
    }
    return approve_case(**(arguments | other))


def execute(case: Case, *, at: datetime | None = None) -> list[tuple[str, int | None]]:
    """Executes the case; returns outcome and settlement of each round."""
    while work_on_case(case.pk, now=lambda: at or by_now()):
        pass
    works = CaseWork.objects.filter(run_id=case.pk).order_by("number")
    return list(works.values_list("outcome", "sequence"))


def decided(
    kind: str, *references: str, remedy: Remedy, ruling: Ruling | None = None
) -> tuple[Case, list[tuple[str, int | None]]]:
    """A case that was proposed, approved and executed."""
    case = opened(kind, *references)
    propose(case, remedy, ruling)
    approve(case)
    return case, execute(case, at=NOW)


def credit_proposed(pseudonym: str, cents: int, *, case: Case | None = None, **other: Any) -> Case:
    """Giulia proposes a credit for a customer."""
    case = case or opened("goodwill")
    arguments: dict[str, Any] = {
        "case_id": case.pk,
        "seen": 1,
        "customer_id": Customer.objects.get(pseudonym=pseudonym).pk,
        "cents": cents,
        "note": "An hour without a dealer.",
        "at": NOW,
        "actor": GIULIA,
    }
    propose_credit(**(arguments | other))
    return case


def credited(pseudonym: str, cents: int) -> Case:
    """A customer with an executed credit."""
    case = credit_proposed(pseudonym, cents)
    approve(case)
    execute(case, at=NOW)
    return case
