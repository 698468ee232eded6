"""Decisions of cases that are written past the services, with the rights of the web role."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection

from casino.operations.database_roles import DatabaseRole, role_name
from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.sign_decision import decision_text
from compliance.signatures.software_key import SoftwareKey
from compliance.signatures.verify_rows import Step
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from payouts.cases.models import Case, CaseRun, CaseStep, CaseWork
from payouts.cases.propose_case import digest_of_credit
from rounds.models import Customer
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import FirstKey

CENTS: Final = 5_000_000_00
VERIFIED: Final = b"\x05"
"""The flags of an authenticator that has verified its user."""
PRESENT: Final = b"\x01"
"""The flags of one that somebody touched, without PIN or biometrics."""


@contextmanager
def as_web() -> Iterator[None]:
    """Django's connection has the rights of the web role."""
    with as_role(DatabaseRole.WEB):
        yield


@contextmanager
def as_role(role: DatabaseRole) -> Iterator[None]:
    """Django's connection has the rights of a role."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role_name(role)}")
        yield
        cursor.execute("RESET ROLE")  # after an error the end of the transaction does it


def key_of(actor: Actor) -> SoftwareKey:
    """The key that a person of the tests signs with."""
    assert isinstance(actor.signer, FirstKey)
    return actor.signer.key


def step(case: Case, sequence: int, actor: Actor, **columns: Any) -> CaseStep:
    """A row of a step, and its audit record, without a signature."""
    row = CaseStep.objects.create(
        case=case,
        sequence=sequence,
        **{"note": "Seen.", "at": NOW, **columns},
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
    )
    return CaseStep.objects.select_related("case", "customer").get(pk=row.pk)


def signed(row: Step, key: SoftwareKey, *, key_id: str = "", flags: bytes = VERIFIED) -> None:
    """The audit record of a step with a signature that this key made of it."""
    actor = Actor(row.actor, row.actor_user_id)
    record = record_entry(row.entry, at=row.at, actor=actor)
    made = key.sign(decision_text(row.entry, at=row.at, actor=actor), flags=flags)
    stored = key_id or SigningKey.objects.get(credential_id=key.credential_id).pk
    DecisionSignature.objects.create(
        record_id=record,
        signed_with=[record],
        key_id=stored,
        authenticator_data=made.authenticator_data,
        client_data=made.client_data,
        signature=made.signature,
    )


def credit_columns(cents: int = CENTS) -> dict[str, Any]:
    """The columns of the proposal of a credit for p-1."""
    customer = Customer.objects.get(pseudonym="p-1")
    return {
        "action": "proposed",
        "remedy": "credit",
        "customer": customer,
        "cents": cents,
        "effect": {"customers": 1, "credited": cents, "net": cents},
        "effect_digest": digest_of_credit(customer.pk, cents),
    }


def approval_columns(proposal: CaseStep) -> dict[str, Any]:
    """The columns of the approval of a proposal."""
    digest = bytes(proposal.effect_digest or b"")
    return {"action": "approved", "remedy": proposal.remedy, "effect_digest": digest}


def begin_execution(case: Case, **work: Any) -> None:
    """The rows that make the workers execute a case."""
    run = CaseRun.objects.create(case=case, approved_at=NOW)
    CaseWork.objects.create(run=run, **{"number": 1, "after": 0, "due_at": NOW, **work})


def forged_credit(proposer: Actor = GIULIA, approver: Actor = LORENZO) -> Case:
    """A credit that two persons are said to have proposed and approved; nobody signed it."""
    with as_web():
        case = opened("goodwill", actor=Actor("Anna Riva", 5))
        proposal = step(case, 2, proposer, **credit_columns())
        approval = step(case, 3, approver, **approval_columns(proposal))
        for row in (proposal, approval):
            record_entry(row.entry, at=row.at, actor=Actor(row.actor, row.actor_user_id))
        begin_execution(case)
    return case
