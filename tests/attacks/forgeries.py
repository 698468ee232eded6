"""Decisions that are written past the services, with the rights of the web role."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection

from compliance.signatures.assertions import Assertion
from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.signature_verifier import DecidedRow
from compliance.signatures.signed_text import decision_text
from compliance.signatures.software_key import SoftwareKey
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole, role_name
from compliance.trail.actor import Actor
from compliance.trail.batches import batch_id
from compliance.trail.encoding import leaf_of
from compliance.trail.models import AuditBatch, AuditRecord
from compliance.trail.record import Entry, record_entry
from payouts.cases.models import Case, CaseHalt, CaseRun, CaseStep, CaseWork
from payouts.cases.propose_case import digest_of_credit
from payouts.cases.verify_cases import verify_cases
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from rounds.models import Customer
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import execute, opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import FirstKey

CENTS: Final = 5_000_000_00
VERIFIED: Final = b"\x05"
"""The flags of an authenticator that has verified its user."""
PRESENT: Final = b"\x01"
"""The flags of one that somebody touched, without PIN or biometrics."""


class Moved(AssertionError):
    """The workers paid, settled or took back money."""


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


@contextmanager
def as_owner() -> Iterator[None]:
    """Somebody who has disabled the triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


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


def withheld(row: CaseStep) -> UUID:
    """The audit record of a step in a batch that does not wait for the log."""
    actor, entry = Actor(row.actor, row.actor_user_id), row.entry
    said: dict[str, Any] = {
        "action": entry.action,
        "subject": entry.subject,
        "details": entry.details,
    }
    batch = batch_id(row.at, number=1 << 40)
    leaf = leaf_of(at=row.at, actor=actor, **said)
    AuditBatch.objects.create(id=batch, at=row.at, record_count=1, root=leaf)
    AuditRecord.objects.create(
        id=batch, at=row.at, actor=actor.name, actor_user_id=actor.user_id, leaf=leaf, **said
    )
    return batch


def signed(
    row: DecidedRow,
    key: SoftwareKey,
    *,
    key_id: str = "",
    flags: bytes = VERIFIED,
    record: UUID | None = None,
) -> None:
    """The audit record of a row with a signature that this key made of it."""
    actor = Actor(row.actor, row.actor_user_id)
    record = record or record_entry(row.entry, at=row.at, actor=actor)
    made = key.sign(decision_text(row.entry, at=row.at, actor=actor), flags=flags)
    _store(made, record, key_id=key_id)


def sign_past_services(entry: Entry, *, at: datetime, actor: Actor) -> None:
    """Records a decision with the person's signature, whatever roles they have."""
    assert isinstance(actor.signer, FirstKey)
    made = actor.signer.sign(decision_text(entry, at=at, actor=actor))
    _store(made, record_entry(entry, at=at, actor=actor))


def _store(made: Assertion, record: UUID, *, key_id: str = "") -> None:
    DecisionSignature.objects.create(
        record_id=record,
        signed_with=[record],
        key_id=key_id or SigningKey.objects.get(credential_id=made.credential_id).pk,
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


def faults() -> list[str]:
    """What the verifiers name."""
    found: list[str] = []
    verify_cases(found.append)
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


def nothing_moves(case: Case) -> str:
    """The reason for which the workers halted at the case, having paid nothing."""
    execute_without_paying(case)
    return CaseHalt.objects.get(case=case).error


def execute_without_paying(case: Case) -> list[tuple[str, int | None]]:
    """What the workers answer. Raises Moved if they pay or settle anything."""
    before = Transfer.objects.count(), Settlement.objects.count()
    outcomes = execute(case)
    if (Transfer.objects.count(), Settlement.objects.count()) != before:
        raise Moved
    return outcomes


def replayed_signatures(case: Case) -> list[tuple[AuditRecord, DecisionSignature]]:
    """Each forged record of the case, with the signature of the same step of an older one."""
    forged = AuditRecord.objects.filter(subject=f"case:{case}").exclude(action="CASE_OPENED")
    older = AuditRecord.objects.exclude(subject=f"case:{case}")
    return [
        (record, DecisionSignature.objects.get(record_id=older.get(action=record.action).pk))
        for record in forged
    ]
