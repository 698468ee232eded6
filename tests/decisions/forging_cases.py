"""Cases: decided through the services, and written past them. Money may only move as two signed."""

from functools import partial
from typing import Any, Final

from hypothesis import strategies
from hypothesis.stateful import precondition, rule

from compliance.signatures.models import DecisionSignature
from compliance.trail.models import AuditRecord
from payouts.cases.decisions import PlannedSettlement, digest_of_plan
from payouts.cases.halt_cases import open_halts, resume_cases
from payouts.cases.models import Case, CasePlan, CaseRun, CaseStep, CaseWork, GoodwillCredit
from payouts.cases.propose_case import digest_of_credit
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from rounds.rules.ruling import Ruling
from tests.attacks.forgeries import begin_execution, credit_columns
from tests.decisions.forging import (
    DISHONEST,
    HONEST,
    NAMES,
    PERSONS,
    Histories,
    days_ago,
    everybody,
    hands,
    numbers,
    persons,
    roles,
    run,
)
from tests.payouts.cases.case_scenarios import NOTE, approve, credit_proposed, opened, propose
from tests.payouts.settlement.resettlement_scenarios import stored

_KINDS: Final = ("malfunction", "refund", "goodwill")
_ROUNDS: Final = ("r-1", "r-2")
_MOST_CASES: Final = 4
"""Besides those that stand there at the beginning."""
_LATEST: Final = 8


def open_cases() -> None:
    """Anna opens a credit and a case about a round."""
    opened("goodwill", actor=PERSONS["Anna"])
    opened("malfunction", _ROUNDS[0], actor=PERSONS["Anna"])


class Cases(Histories):
    """Cases, their executions and the halts of these."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = 0
        self._paid: set[int] = set()

    # Services.

    @precondition(lambda self: self.opened < _MOST_CASES)
    @rule(kind=strategies.sampled_from(_KINDS), number=numbers, who=persons)
    def open_case(self, kind: str, number: int, who: str) -> None:
        """Opens a case; nothing of it is signed."""
        references = [] if kind == "goodwill" else [_ROUNDS[number % len(_ROUNDS)]]
        self.do("open", lambda: opened(kind, *references, actor=self.actor(who), at=self.now))
        self.opened += 1

    @rule(number=numbers, who=persons)
    def propose(self, number: int, who: str) -> None:
        """Proposes what fits the case."""
        case = _case(number)
        about: dict[str, Any] = {"seen": _steps(case).count(), "at": self.now}
        if self.do("propose", lambda: _propose(case, actor=self.actor(who), **about)):
            self._sign(who, case, _steps(case).last())

    @rule(number=numbers, who=persons)
    def approve(self, number: int, who: str) -> None:
        """Approves what is proposed, whoever is said to have proposed it."""
        case = _case(number)
        latest = _steps(case).last()
        if latest is not None and latest.action == "proposed":
            about: dict[str, Any] = {"seen": latest.sequence, "at": self.now}
            if self.do("approve", lambda: approve(case, actor=self.actor(who), **about)):
                self._sign(who, case, latest)

    @precondition(lambda self: self.opened < _MOST_CASES)
    @rule(
        kind=strategies.sampled_from(_KINDS),
        number=numbers,
        order=everybody,
        is_executed=strategies.booleans(),
    )
    def decide(self, kind: str, number: int, order: list[str], is_executed: bool) -> None:
        """All three decide a new case; perhaps something else happens before it is executed."""
        self.open_case(kind, number, order[0])
        self.propose(0, order[1])
        self.approve(0, order[2])
        if is_executed:
            self.resume_cases()
            self.execute()

    @rule()
    def resume_cases(self) -> None:
        """Both honest persons, whose roles may, resume what was halted."""
        for halt in open_halts():
            for who in HONEST:
                about: dict[str, Any] = {"note": NOTE, "at": self.now, "actor": self.actor(who)}
                seen = halt.steps.count()
                resume = partial(resume_cases, halt_id=halt.pk, seen=seen, **about)
                if self.do("resume cases", resume):
                    self.honest.add(("halt", halt.pk))

    @rule()
    def execute(self) -> None:
        """The workers execute what they find; what they pay must have been signed honestly."""
        self.work(self._execute, halts=True)
        self._require_honest_payments()

    def _execute(self) -> None:
        for found in CaseRun.objects.order_by("pk"):
            while work_on_case(found.pk, now=lambda: self.now):
                pass

    # Rows.

    @rule(
        role=roles,
        number=numbers,
        like=numbers,
        action=strategies.sampled_from(["proposed", "approved", "referred", "allowed"]),
        who=persons,
        hand=hands,
        ago=days_ago,
    )
    def forge_step(
        self, role: str, number: int, like: int, action: str, who: str, hand: int, ago: int
    ) -> None:
        """A step in anybody's name, like one of another case."""
        case = _case(number)

        def forge() -> None:
            self.write_record(_forge_step(case, like, action, who, at=self.at(ago)), who, hand)

        self.write("step", role, forge)

    @rule(
        number=numbers,
        like=numbers,
        order=strategies.permutations(list(NAMES)),
        by=hands,
        ago=days_ago,
    )
    def forge_decision(self, number: int, like: int, order: list[str], by: int, ago: int) -> None:
        """A proposal if there is none, its approval and its execution; nothing halts it before.

        Of a new credit, where the case is decided or Giulia has other keys to try.
        """
        self.resume_cases()
        case, forgers = _case(number), self.forgers(order, by)
        if case.steps.count() > len(("opened", "proposed")) or by > 1:
            opener = next(who for who in order if who not in dict(forgers))
            case, number = opened("goodwill", actor=NAMES[opener], at=self.now), 0
        for action, forger in zip(("proposed", "approved"), forgers, strict=True):
            if action == "approved" or case.steps.count() == 1:
                self.forge_step("web", number, like, action, *forger, ago)
        is_credit = case.kind == Case.Kind.GOODWILL
        self.forge_execution("web", number, None if is_credit else _ROUNDS[like % len(_ROUNDS)])
        self.execute()

    @rule(role=roles, number=numbers, other=numbers, who=persons)
    def forge_signature(self, role: str, number: int, other: int, who: str) -> None:
        """The signature of another decision under a record, said to be of anybody's key."""
        key = next(key.id for key in self.keys if key.holder == who)
        self.write("signature", role, lambda: _copy_signature(number, other, key))

    @rule(role=roles, number=numbers, reference=strategies.sampled_from((None, *_ROUNDS)))
    def forge_execution(self, role: str, number: int, reference: str | None) -> None:
        """The rows that make workers execute a case."""
        case = _case(number)
        work = {} if reference is None else {"round": stored(reference), "after": 1}
        self.write("execution", role, lambda: begin_execution(case, **work))

    @rule(role=roles, number=numbers, statement=strategies.integers(0, 8))
    def change(self, role: str, number: int, statement: int) -> None:
        """Changes or removes what stands there."""
        case = _case(number).pk
        statements = (
            f"UPDATE payouts_casestep SET actor = 'Anna Riva' WHERE case_id = {case}",
            f"UPDATE payouts_casestep SET cents = 9999 WHERE case_id = {case}",
            f"DELETE FROM payouts_casestep WHERE case_id = {case} AND sequence > 1",
            f"UPDATE payouts_caseplan SET payouts_cents = '{{9,9,9}}' WHERE case_id = {case}",
            f"UPDATE payouts_casework SET outcome = '', done_at = NULL WHERE run_id = {case}",
            "DELETE FROM payouts_casehalt",
            "DELETE FROM payouts_integritystop",
            "UPDATE exports_bundlestep SET actor = 'Anna Riva', actor_user_id = 5",
            "UPDATE signatures_signingkey SET person_id = 5, person_name = 'Anna Riva'",
        )
        self.write("change", role, lambda: run(statements[statement]))

    def _sign(self, who: str, case: Case, step: CaseStep | None) -> None:
        if step is not None and who != DISHONEST:
            self.honest.add(("case", case.pk, bytes(step.effect_digest or b"")))

    def _require_honest_payments(self) -> None:
        """Every credit and settlement is one that two persons signed, one of them honest."""
        given = {row.case_id: row for row in GoodwillCredit.objects.all()}
        assert _credits().count() == len(given)
        settlements = {(row.round_id, row.sequence): row for row in _further_settlements()}
        for work in CaseWork.objects.filter(outcome="done").order_by("pk"):
            if work.sequence is None:
                credit = given.pop(work.run_id, None)
                digests = [] if credit is None else [_digest_of(credit)]
            else:
                settled = settlements.pop((work.round_id, work.sequence), None)
                digests = [] if settled is None else self._signed_plans(work, settled.payout_cents)
            assert digests, work
            if work.pk not in self._paid:
                self._paid.add(work.pk)
                decision = _steps(Case.objects.get(pk=work.run_id)).reverse()[:2]
                self.require_two(decision, "case", work.run_id, digests[0])
                self.happened["paid"] += 1
        assert not settlements, "settled without a case"
        assert not given, "credited without an execution"

    def _signed_plans(self, work: CaseWork, cents: int | None) -> list[bytes]:
        """The plans that honest persons signed by which the round is to be paid this."""
        plans: dict[int, list[PlannedSettlement]] = {}
        for row in CasePlan.objects.filter(case_id=work.run_id).order_by("number"):
            fields = (getattr(row, name) for name in PlannedSettlement._fields)
            plans.setdefault(row.sequence, []).append(PlannedSettlement(*fields))
        return [
            digest
            for plan in plans.values()
            if ("case", work.run_id, digest := digest_of_plan(plan)) in self.honest
            for planned in plan
            if planned.round_id == work.round_id and sum(planned.payouts_cents) == cents
        ]


def _case(number: int) -> Case:
    cases = Case.objects.order_by("-pk")
    return cases[number % cases.count()]


def _steps(case: Case) -> Any:
    steps = CaseStep.objects.filter(case=case).select_related("case", "customer")
    return steps.order_by("sequence")


def _credits() -> Any:
    return Transfer.objects.filter(purpose="goodwill")


def _further_settlements() -> Any:
    return Settlement.objects.filter(sequence__gt=1)


def _digest_of(credit: GoodwillCredit) -> bytes:
    return digest_of_credit(credit.customer_id, credit.cents)


def _propose(case: Case, **about: Any) -> None:
    if case.kind == Case.Kind.GOODWILL:
        credit_proposed("p-1", 1_000, case=case, **about)
    elif case.kind == Case.Kind.REFUND:
        propose(case, Remedy.REFUND_BETS, Ruling(refunded=frozenset({0})), **about)
    else:
        propose(case, Remedy.VOID, **about)


def _forge_step(case: Case, like: int, action: str, who: str, **at: Any) -> CaseStep:
    proposals = CaseStep.objects.filter(action="proposed").order_by("-at", "-case_id", "-sequence")
    columns: dict[str, Any] = {}
    if action == "proposed" and (case.kind == Case.Kind.GOODWILL or not proposals):
        columns = credit_columns(1_000 + like)
    elif action in {"proposed", "approved"} and proposals:
        model = proposals[like % len(proposals)]
        names = ["remedy", "effect_digest"]
        names += ["ruling", "customer", "cents", "effect"] if action == "proposed" else []
        columns = {name: getattr(model, name) for name in names}
    row = CaseStep.objects.create(
        case=case,
        sequence=_steps(case).count() + 1,
        actor=NAMES[who].name,
        actor_user_id=NAMES[who].user_id or 0,
        **{"note": NOTE, "action": action, **columns, **at},
    )
    return CaseStep.objects.select_related("case", "customer").get(pk=row.pk)


def _copy_signature(number: int, other: int, key: str) -> None:
    signatures = list(DecisionSignature.objects.order_by("record_id"))
    records = AuditRecord.objects.order_by("-id")[:_LATEST]
    copied = signatures[other % len(signatures)] if signatures else None
    if copied is not None and records:
        copied.record_id = records[number % len(records)].pk
        copied.signed_with = [copied.record_id]
        copied.key_id = key
        copied.save(force_insert=True)
