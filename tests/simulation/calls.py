"""What people and workers do on a simulated day, at a time of its clock."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from compliance.trail.actor import WORKER, Actor
from payouts.cases.decide_case import answer_case, approve_case, refer_case, reject_case
from payouts.cases.models import Case, CaseRun, CaseStep
from payouts.cases.propose_case import effect_of_case, propose_case, propose_credit
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.settlement.sweep import sweep_waiting_rounds
from rounds.documents import read_documents
from rounds.models import Customer
from rounds.row_mapping import cards_of
from rounds.rules.ruling import Ruling
from rounds.services.ingest import Tally, ingest_documents
from tests.casino_in_play import STUDIO
from tests.payouts.cases.case_scenarios import NOTE
from tests.payouts.disputes.dispute_scenarios import LETTER

REMEDIES: Final = {
    Case.Kind.MALFUNCTION: (Remedy.VOID, Remedy.REAL_RESULT, Remedy.WITHOUT_BONUS),
    Case.Kind.CORRECTION: (Remedy.CORRECT,),
    Case.Kind.RELEASE: (Remedy.BY_RULES, Remedy.REAL_RESULT, Remedy.VOID),
    Case.Kind.REFUND: (Remedy.REFUND_BETS,),
    Case.Kind.GOODWILL: (Remedy.CREDIT,),
}
"""Those that fit a kind of case."""


def ingest(lines: Sequence[bytes], *, at: datetime) -> Tally:
    """Ingests documents of the studio."""
    tally = Tally()
    for documents in read_documents(lines):
        tally = tally.plus(ingest_documents(documents, source="studio", at=at, actor=STUDIO))
    return tally


def sweep(batches: int, *, at: datetime) -> None:
    """Settles what waits, at most so many batches."""
    sweep_waiting_rounds(now=lambda: at, actor=WORKER, batches=batches)


def execute_all(*, at: datetime) -> None:
    """Executes every approved case to its end."""
    for run in CaseRun.objects.order_by("pk"):
        while work_on_case(run.pk, now=lambda: at):
            pass


def propose(case: Case, remedy: Remedy, number: int, *, at: datetime, actor: Actor) -> None:
    """Proposes a remedy with its present effect; a credit for one of the customers."""
    common: dict[str, Any] = {
        "case_id": case.pk,
        "seen": _seen(case),
        "note": NOTE,
        "at": at,
        "actor": actor,
    }
    if remedy is Remedy.CREDIT:
        customers = Customer.objects.order_by("pk")
        customer = customers[number % customers.count()]
        propose_credit(customer_id=customer.pk, cents=1 + number, **common)
        return
    ruling = _ruling_of(case, remedy)
    digest = effect_of_case(case, remedy, ruling).digest
    propose_case(remedy=remedy, ruling=ruling, effect_digest=digest, **common)


def decide(case: Case, verb: str, *, at: datetime, actor: Actor) -> None:
    """Decides about the latest proposal, or enters a letter of the regulator."""
    about: dict[str, Any] = {"case_id": case.pk, "seen": _seen(case), "at": at, "actor": actor}
    if verb == "approve":
        proposals = CaseStep.objects.filter(case=case, action="proposed")
        proposal = proposals.order_by("-sequence").first()
        digest = b"" if proposal is None else bytes(proposal.effect_digest or b"")
        approve_case(effect_digest=digest, note=NOTE, **about)
    elif verb == "reject":
        reject_case(note=NOTE, **about)
    elif verb == "refer":
        refer_case(letter=LETTER, **about)
    else:
        answer_case(is_allowed=verb == "allow", letter=LETTER, **about)


def _ruling_of(case: Case, remedy: Remedy) -> Ruling | None:
    """The ruling that the remedy needs: the first bet is refunded; the last card was not dealt."""
    if remedy is Remedy.REFUND_BETS:
        return Ruling(refunded=frozenset({0}))
    of_case = case.rounds.first()
    if remedy is not Remedy.CORRECT or of_case is None:
        return None
    return Ruling(cards=cards_of(of_case.round.cards)[:-1])


def _seen(case: Case) -> int:
    return CaseStep.objects.filter(case=case).count()
