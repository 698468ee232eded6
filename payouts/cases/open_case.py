"""Opening a case: what happened, which rounds it concerns, and the evidence."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from compliance.signatures.sign_decision import number_signed
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StepError
from payouts.cases.models import Case, CaseEvidence, CaseRound, CaseStep, Reason
from payouts.cases.models.case import LETTERS
from payouts.cases.reasons_in_force import reasons_in_use
from payouts.evidence import File, store_evidence
from rounds.models import Round, Table


class ReasonNotInUse(StepError):
    """The reason is for another purpose, or this version of it is no longer in use."""


class CaseContentMissing(StepError):
    """A case without a text, or without a round."""


class Window(NamedTuple):
    """The table and the period of a malfunction."""

    table: Table
    first: datetime
    last: datetime


def open_case(
    *,
    kind: Case.Kind,
    reason: Reason,
    text: str,
    round_ids: Sequence[UUID],
    window: Window | None = None,
    files: Sequence[File] = (),
    at: datetime,
    actor: Actor,
) -> Case:
    """Opens a case about these rounds, which never change. It decides nothing and is not signed.

    Raises ReasonNotInUse, CaseContentMissing or InvalidEvidence.
    """
    if not text.strip():
        raise CaseContentMissing("found no text; needed what happened in words")
    if not round_ids and kind is not Case.Kind.GOODWILL:
        raise CaseContentMissing("found no round; needed at least one")
    with transaction.atomic():
        lock_names([f"reason:{reason.code}"])  # against a change until the case is recorded
        if reason not in reasons_in_use(kind.value):
            raise ReasonNotInUse(f"found {reason.code}; needed a reason for {kind.value} in use")
        case = Case.objects.create(
            id=number_signed(Case, f"case:{LETTERS[kind]}-", actor),
            kind=kind,
            reason=reason,
            reason_it=reason.text_it,
            reason_en=reason.text_en,
            needs_regulator=reason.needs_regulator,
            text=text.strip(),
            table=None if window is None else window.table,
            window_from=None if window is None else window.first,
            window_to=None if window is None else window.last,
            opened_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id or 0,
        )
        CaseRound.objects.bulk_create(
            CaseRound(case=case, number=number, round_id=round_id)
            for number, round_id in enumerate(round_ids, start=1)
        )
        details = {
            "reason": reason.code,
            "rounds": len(round_ids),
            "table": None if window is None else window.table.code,
            "from": None if window is None else window.first.isoformat(),
            "to": None if window is None else window.last.isoformat(),
        }
        step = CaseStep.objects.create(
            case=case,
            sequence=1,
            action=CaseStep.Action.OPENED,
            note=case.text,
            at=at,
            actor=actor.name,
            actor_user_id=case.actor_user_id,
        )
        opened = step.entry._replace(details={**step.entry.details, **details})
        record_entries([opened], at=at, actor=actor)
        _record_rounds(case, round_ids, at=at, actor=actor)
        for file in files:
            add_evidence(case=case, file=file, at=at, actor=actor)
    return case


def add_evidence(*, case: Case, file: File, at: datetime, actor: Actor) -> CaseEvidence:
    """Attaches a file to the case. Raises InvalidEvidence."""
    action, subject = "CASE_EVIDENCE_ADDED", f"case:{case}"
    return store_evidence(
        CaseEvidence, file, action=action, subject=subject, at=at, actor=actor, case=case
    )


def _record_rounds(case: Case, round_ids: Sequence[UUID], *, at: datetime, actor: Actor) -> None:
    """Records the case in the audit trail of each of its rounds."""
    references = Round.objects.filter(id__in=round_ids).order_by("id")
    details = {"case": str(case), "kind": case.kind}
    record_entries(
        [
            Entry("ROUND_IN_CASE", f"round:{reference}", details)
            for reference in references.values_list("reference", flat=True)
        ],
        at=at,
        actor=actor,
    )
