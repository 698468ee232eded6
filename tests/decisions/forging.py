"""Decisions by honest persons, and rows that one dishonest person writes past the services.

Giulia is dishonest: she has a connection with every role of the database, and her own signing key.
Money may only move as Lorenzo or Anna has signed it, too, who use the services.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

from django.db import DatabaseError, connection, transaction
from hypothesis import strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import record_entry
from compliance.trail.steps import StepError
from payouts.cases.decisions import PlannedSettlement, digest_of_plan
from payouts.cases.halt_cases import open_halts, resume_cases
from payouts.cases.models import Case, CasePlan, CaseRun, CaseStep, CaseWork, GoodwillCredit
from payouts.cases.propose_case import digest_of_credit
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from rounds.rules.ruling import Ruling
from tests.attacks.forgeries import begin_execution, credit_columns, key_of, signed
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import NOTE, approve, credit_proposed, opened, propose
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, stored
from tests.signers import signing

ANNA: Final = signing("Anna Riva", 5)
_PERSONS: Final = {"Giulia": GIULIA, "Lorenzo": LORENZO, "Anna": ANNA}
_KINDS: Final = ("malfunction", "refund", "goodwill")
_ROUNDS: Final = ("r-1", "r-2")
_MOST_CASES: Final = 3

_persons: Final = strategies.sampled_from(list(_PERSONS))
_roles: Final = strategies.sampled_from([role.value for role in (*[DatabaseRole.WEB] * 4, *ROLES)])
"""Mostly of the one that may write decisions."""
_numbers: Final = strategies.integers(0, 5)


class Forging(RuleBasedStateMachine):
    """A casino in which honest and forged decisions mix."""

    prepare: ClassVar[Callable[[], str]]
    happened: ClassVar[Counter[str]]
    """How often each attempt was made, and how it ended."""

    def __init__(self) -> None:
        super().__init__()
        self._honest: set[tuple[int, bytes]] = set()
        """The case and effect of each signature of an honest person."""
        self.cases = 0

    @initialize()
    def begin(self) -> None:
        """Two settled rounds."""
        type(self).prepare()

    # Services.

    @precondition(lambda self: self.cases < _MOST_CASES)
    @rule(kind=strategies.sampled_from(_KINDS), number=_numbers, who=_persons)
    def open_case(self, kind: str, number: int, who: str) -> None:
        """Opens a case; nothing of it is signed."""
        references = [] if kind == "goodwill" else [_ROUNDS[number % len(_ROUNDS)]]
        self._do("open", lambda: opened(kind, *references, actor=_PERSONS[who]))
        self.cases += 1

    @precondition(lambda self: self.cases)
    @rule(number=_numbers, who=_persons)
    def propose(self, number: int, who: str) -> None:
        """Proposes what fits the case."""
        case = _case(number)
        step = self._do("propose", lambda: _proposed(case, _PERSONS[who]))
        self._sign(who, case, step)

    @precondition(lambda self: self.cases)
    @rule(number=_numbers, who=_persons)
    def approve(self, number: int, who: str) -> None:
        """Approves what is proposed, whoever is said to have proposed it."""
        case = _case(number)
        latest = _steps(case).last()
        if latest is not None and latest.action == "proposed":
            seen = latest.sequence
            made = self._do("approve", lambda: approve(case, seen=seen, actor=_PERSONS[who]))
            self._sign(who, case, latest if made is not None else None)

    @rule()
    def resume(self) -> None:
        """Lorenzo and Anna, whose roles may, resume what was halted."""
        about: dict[str, Any] = {"note": NOTE, "at": NOW}
        for halt in open_halts():
            resume = partial(resume_cases, halt_id=halt.pk, **about)
            self._do("resume", partial(resume, seen=0, actor=LORENZO))
            self._do("resume", partial(resume, seen=1, actor=ANNA))

    @rule()
    def execute(self) -> None:
        """The workers execute what they find; what they pay must have been signed honestly."""
        for run in CaseRun.objects.order_by("pk"):
            while work_on_case(run.pk, now=lambda: NOW):
                pass
        self._require_honest_payments()

    # Rows.

    @precondition(lambda self: self.cases)
    @rule(
        role=_roles,
        number=_numbers,
        like=_numbers,
        action=strategies.sampled_from(["proposed", "approved", "referred", "allowed"]),
        who=_persons,
        signs=strategies.booleans(),
    )
    def forge_step(
        self, role: str, number: int, like: int, action: str, who: str, signs: bool
    ) -> None:
        """A step in anybody's name, like one of another case; perhaps signed with Giulia's key."""
        case = _case(number)
        self._write("step", role, lambda: _forge_step(case, like, action, _PERSONS[who], signs))

    @precondition(lambda self: self.cases)
    @rule(number=_numbers, like=_numbers, order=strategies.permutations(list(_PERSONS)))
    def forge_decision(self, number: int, like: int, order: list[str]) -> None:
        """A proposal if there is none, its approval and its execution."""
        if _steps(_case(number)).count() == 1:
            self.forge_step("web", number, like, "proposed", order[0], order[0] == "Giulia")
        self.forge_step("web", number, like, "approved", order[1], order[1] == "Giulia")
        is_credit = _case(number).kind == Case.Kind.GOODWILL
        self.forge_execution("web", number, None if is_credit else _ROUNDS[like % len(_ROUNDS)])
        self.execute()

    @precondition(lambda self: self.cases)
    @rule(role=_roles, number=_numbers, other=_numbers, key=_persons)
    def forge_signature(self, role: str, number: int, other: int, key: str) -> None:
        """The signature of another decision under a step, said to be of anybody's key."""
        self._write("signature", role, lambda: _copy_signature(number, other, _PERSONS[key]))

    @precondition(lambda self: self.cases)
    @rule(role=_roles, number=_numbers, reference=strategies.sampled_from((None, *_ROUNDS)))
    def forge_execution(self, role: str, number: int, reference: str | None) -> None:
        """The rows that make workers execute a case."""
        case = _case(number)
        work = {} if reference is None else {"round": stored(reference), "after": 1}
        self._write("execution", role, lambda: begin_execution(case, **work))

    @precondition(lambda self: self.cases)
    @rule(role=_roles, number=_numbers, statement=_numbers)
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
        )
        self._write("change", role, lambda: _run(statements[statement]))

    def _do(self, what: str, action: Callable[[], Any]) -> Any:
        """The answer; None if it was refused in words, or by the database."""
        try:
            answer = action()
        except (StepError, DatabaseError) as error:
            self.happened[f"{what}: {type(error).__name__}"] += 1
            return None
        self.happened[f"{what}: done"] += 1
        return answer

    def _write(self, what: str, role: str, action: Callable[[], Any]) -> None:
        """Writes rows with the rights of a role, in one transaction."""

        def write() -> None:
            with transaction.atomic():
                _run(f"SET LOCAL ROLE {role_name(DatabaseRole(role))}")
                action()

        self._do(f"{what} by {role}", write)

    def _sign(self, who: str, case: Case, step: CaseStep | None) -> None:
        if step is not None and who != "Giulia":
            self._honest.add((case.pk, bytes(step.effect_digest or b"")))

    def _require_honest_payments(self) -> None:
        """Every credit and settlement is one that an honest person signed."""
        given = list(GoodwillCredit.objects.all())
        for credit in given:
            digest = digest_of_credit(credit.customer_id, credit.cents)
            assert (credit.case_id, digest) in self._honest, credit
        assert _credits().count() == len(given)
        settlements = {(row.round_id, row.sequence): row for row in _further_settlements()}
        for work in CaseWork.objects.filter(outcome="done").exclude(round=None):
            settled = settlements.pop((work.round_id, work.sequence))
            assert settled.payout_cents in self._signed_payouts(work), work
        assert not settlements, "settled without a case"

    def _signed_payouts(self, work: CaseWork) -> list[int]:
        """What honest persons signed to be paid for the round."""
        plans: dict[int, list[PlannedSettlement]] = {}
        for row in CasePlan.objects.filter(case_id=work.run_id).order_by("number"):
            fields = (getattr(row, name) for name in PlannedSettlement._fields)
            plans.setdefault(row.sequence, []).append(PlannedSettlement(*fields))
        return [
            sum(planned.payouts_cents)
            for plan in plans.values()
            if (work.run_id, digest_of_plan(plan)) in self._honest
            for planned in plan
            if planned.round_id == work.round_id
        ]


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _case(number: int) -> Case:
    cases = Case.objects.order_by("-pk")
    return cases[number % cases.count()]


def _steps(case: Case) -> Any:
    return CaseStep.objects.filter(case=case).order_by("sequence")


def _credits() -> Any:
    return Transfer.objects.filter(purpose="goodwill")


def _further_settlements() -> Any:
    return Settlement.objects.filter(sequence__gt=1)


def _proposed(case: Case, who: Actor) -> CaseStep:
    seen = _steps(case).count()
    if case.kind == Case.Kind.GOODWILL:
        credit_proposed("p-1", 1_000, case=case, seen=seen, actor=who)
    elif case.kind == Case.Kind.REFUND:
        ruling = Ruling(refunded=frozenset({0}))
        propose(case, Remedy.REFUND_BETS, ruling, seen=seen, actor=who)
    else:
        propose(case, Remedy.VOID, seen=seen, actor=who)
    return CaseStep.objects.get(case=case, sequence=seen + 1)


def _forge_step(case: Case, like: int, action: str, who: Actor, signs: bool) -> None:
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
        actor=who.name,
        actor_user_id=who.user_id or 0,
        **{"note": NOTE, "at": NOW, "action": action, **columns},
    )
    row = CaseStep.objects.select_related("case", "customer").get(pk=row.pk)
    if signs:
        of_whom = SigningKey.objects.filter(person_id=who.user_id or 0).first()
        signed(row, key_of(GIULIA), key_id="" if of_whom is None else of_whom.pk)
    else:
        record_entry(row.entry, at=row.at, actor=who)


def _copy_signature(number: int, other: int, key: Actor) -> None:
    signatures = list(DecisionSignature.objects.order_by("record_id"))
    case = _case(number)
    records = AuditRecord.objects.filter(subject=f"case:{case}").order_by("-id")
    if not signatures or not records:
        return
    copied = signatures[other % len(signatures)]
    of_key = SigningKey.objects.filter(person_id=key.user_id or 0).first()
    copied.record_id = records[0].pk
    copied.signed_with = [copied.record_id]
    copied.key_id = copied.key_id if of_key is None else of_key.pk
    copied.save(force_insert=True)
