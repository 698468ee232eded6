"""Opening a case: what happened, to which rounds, and what shows it."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import Case, CaseEvidence, CaseRound, CaseStep, Reason
from payouts.services.case_steps import CaseRefusal, add_case_step
from rounds.models import Round, Table

MOST_BYTES: Final = 10_000_000
"""So big is a file of evidence at most."""

EVIDENCE_TYPES: Final = {
    "application/pdf": b"%PDF-",
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
}
"""What a file may be, with the bytes that it begins with."""


class ReasonNotInUse(CaseRefusal):
    """The reason is for something else, or was taken out of use."""


class NothingSaid(CaseRefusal):
    """A case without a word about what happened, or without a round."""


class NotEvidence(CaseRefusal):
    """A file that is too big, empty, or of no kind that everybody can open."""

    def __init__(self, name: str, *, found: str, needed: str) -> None:
        super().__init__(f"{name}: found {found}; needed {needed}")
        self.name, self.found, self.needed = name, found, needed


class File(NamedTuple):
    """A file as it was handed in."""

    name: str
    content: bytes


class Window(NamedTuple):
    """The table and the time in which something broke."""

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
    """Opens a case about these rounds; they never change. Nothing is decided by it.

    Raises ReasonNotInUse, NothingSaid, NotEvidence or NotNamed.
    """
    if not reason.is_active or reason.purpose != kind.value:
        raise ReasonNotInUse(f"found {reason.code}; needed a reason for {kind.value} in use")
    if not text.strip():
        raise NothingSaid("found no text; needed what happened in words")
    if not round_ids and kind is not Case.Kind.GOODWILL:
        raise NothingSaid("found no round; needed at least one")
    with transaction.atomic():
        case = Case.objects.create(
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
        told = {
            "reason": reason.code,
            "rounds": len(round_ids),
            "table": None if window is None else window.table.code,
            "from": None if window is None else window.first.isoformat(),
            "to": None if window is None else window.last.isoformat(),
        }
        opened = CaseStep.Action.OPENED
        add_case_step(case, opened, sequence=1, note=text.strip(), at=at, actor=actor, told=told)
        _record_rounds(case, round_ids, at=at, actor=actor)
        for file in files:
            add_evidence(case=case, file=file, at=at, actor=actor)
    return case


def add_evidence(*, case: Case, file: File, at: datetime, actor: Actor) -> CaseEvidence:
    """Keeps a file with the case, and its digest in the trail. Raises NotEvidence."""
    content_type = type_of(file)
    digest = hashlib.sha256(file.content)
    with transaction.atomic():
        kept = CaseEvidence.objects.create(
            case=case,
            name=file.name[-200:],
            content_type=content_type,
            size=len(file.content),
            digest=digest.digest(),
            content=file.content,
            added_at=at,
            actor=actor.name,
        )
        details = {"file": kept.name, "bytes": kept.size, "sha256": digest.hexdigest()}
        entry = Entry("CASE_EVIDENCE_ADDED", f"case:{case}", details)
        record_entries([entry], at=at, actor=actor)
    return kept


def type_of(file: File) -> str:
    """What the file is, by what it begins with. Raises NotEvidence."""
    if len(file.content) > MOST_BYTES:
        raise NotEvidence(
            file.name, found=f"{len(file.content)} bytes", needed=f"at most {MOST_BYTES}"
        )
    for content_type, beginning in EVIDENCE_TYPES.items():
        if file.content.startswith(beginning):
            return content_type
    raise NotEvidence(file.name, found="another kind of file", needed="a PDF, a PNG or a JPEG")


def _record_rounds(case: Case, round_ids: Sequence[UUID], *, at: datetime, actor: Actor) -> None:
    """In the trail of each round, that a case is open about it."""
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
