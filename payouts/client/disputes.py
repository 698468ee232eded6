"""``sabot.disputes``: contesting what a round was settled at, and following what becomes of it."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, overload
from uuid import UUID

from .calls import Calls, Operation, as_json, tagged
from .dispute_shapes import (
    DisputeInShort,
    DisputeStep,
    Evidence,
    Proposal,
    RecordProof,
    WholeDispute,
)
from .paging import Page, items

_ALL: Final = "/disputes"
_ONE: Final = "/disputes/{dispute}"
LIST: Final = Operation("list_disputes", "GET", _ALL, Page[DisputeInShort])
OPEN: Final = Operation("open_dispute", "POST", _ALL, WholeDispute)
READ: Final = Operation("read_dispute", "GET", _ONE, WholeDispute)
LIST_STEPS: Final = Operation("list_dispute_steps", "GET", f"{_ONE}/steps", Page[DisputeStep])
PROVE: Final = Operation("prove_dispute_record", "GET", f"{_ONE}/proofs/{{record}}", RecordProof)
ANSWER: Final = Operation("answer_dispute", "POST", f"{_ONE}/answers", WholeDispute)
ESCALATE: Final = Operation("escalate_dispute", "POST", f"{_ONE}/escalations", WholeDispute)
LIST_EVIDENCE: Final = Operation("list_evidence", "GET", f"{_ONE}/evidence", Page[Evidence])
ADD_EVIDENCE: Final = Operation("add_evidence", "POST", f"{_ONE}/evidence", Evidence)
LIST_PROPOSALS: Final = Operation("list_proposals", "GET", f"{_ONE}/proposals", Page[Proposal])
READ_PROPOSAL: Final = Operation("read_proposal", "GET", f"{_ONE}/proposals/{{proposal}}", Proposal)
PROPOSE: Final = Operation("propose_decision", "POST", f"{_ONE}/proposals", Proposal)
READ_EVIDENCE: Final = Operation("read_evidence", "GET", f"{_ONE}/evidence/{{sha256}}", bytes)
_UNCHANGED: Final = 304


class DisputeCalls:
    """What can be done with disputes. ``if_match`` is the ETag that a call is meant upon."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def open(
        self,
        round_id: UUID | str,
        *,
        reason: str,
        text: str,
        customer: str | None = None,
        bet: str | int | None = None,
        claimed_cents: int | None = None,
        language: str = "it",
        once: str | None = None,
    ) -> WholeDispute:
        """Contests a round, or one bet of it by the studio's id or by its number.

        A customer's own token leaves ``customer`` out. Raises Conflict where the same is contested.
        """
        said = {
            "round": str(round_id),
            "reason": reason,
            "text": text,
            "customer": customer,
            "bet_number" if isinstance(bet, int) else "bet": bet,
            "claimed_cents": claimed_cents,
            "language": language,
        }
        body = {name: value for name, value in said.items() if value is not None}
        answer = self._calls.send(OPEN, body=as_json(body), once=once)
        return tagged(self._calls.read(OPEN, answer), answer)

    def list(
        self,
        *,
        state: str | None = None,
        overdue: bool | None = None,
        customer: str | None = None,
        round_: UUID | str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        limit: int = 200,
    ) -> Iterator[DisputeInShort]:
        """Disputes, newest first, ``limit`` a call; none is skipped or told twice meanwhile."""
        query = {
            "state": state,
            "overdue": None if overdue is None else str(overdue).lower(),
            "customer": customer,
            "round": None if round_ is None else str(round_),
            "from": from_,
            "to": to,
            "limit": limit,
        }
        return items(self._calls, LIST, {}, query)

    @overload
    def get(self, dispute: str) -> WholeDispute: ...

    @overload
    def get(self, dispute: str, *, if_none_match: str) -> WholeDispute | None: ...

    def get(self, dispute: str, *, if_none_match: str | None = None) -> WholeDispute | None:
        """All about a dispute; None where it is still as the ETag ``if_none_match`` has it."""
        headers = {"If-None-Match": if_none_match} if if_none_match else None
        answer = self._calls.send(READ, {"dispute": dispute}, headers=headers)
        if answer.status_code == _UNCHANGED:
            return None
        return tagged(self._calls.read(READ, answer), answer)

    def steps(self, dispute: str, *, limit: int = 100) -> Iterator[DisputeStep]:
        """What was done about it, oldest first; ``limit`` a call."""
        return items(self._calls, LIST_STEPS, {"dispute": dispute}, {"limit": limit})

    def proof(self, dispute: str, record: UUID) -> RecordProof:
        """The proof of a record of the finding; asked again until the signed log has it."""
        return self._calls.tell(PROVE, {"dispute": dispute, "record": record})

    def answer(
        self, dispute: str, text: str, *, if_match: str | None = None, once: str | None = None
    ) -> WholeDispute:
        """What the customer answers. Raises Conflict where he was not asked, or it has changed."""
        return self._act(ANSWER, dispute, {"text": text}, if_match, once)

    def escalate(
        self,
        dispute: str,
        *,
        reference: str,
        on_day: date,
        text: str = "",
        if_match: str | None = None,
        once: str | None = None,
    ) -> WholeDispute:
        """Says by which letter the customer went to the outside body. Raises Conflict."""
        said = {"reference": reference, "on_day": on_day.isoformat(), "text": text}
        return self._act(ESCALATE, dispute, said, if_match, once)

    def proposals(self, dispute: str, *, limit: int = 100) -> Iterator[Proposal]:
        """The decisions that programs proposed, oldest first; ``limit`` a call."""
        return items(self._calls, LIST_PROPOSALS, {"dispute": dispute}, {"limit": limit})

    def proposal(self, dispute: str, proposal: int) -> Proposal:
        """One of them."""
        at = {"dispute": dispute, "proposal": proposal}
        return self._calls.tell(READ_PROPOSAL, at)

    def propose(
        self,
        dispute: str,
        proposal: Mapping[str, Any],
        *,
        if_match: str | None = None,
        once: str | None = None,
    ) -> Proposal:
        """Proposes a decision, as ``docs/api.md`` has its fields; a person decides.

        Raises Conflict where the dispute is not in review, or has changed.
        """
        at = {"dispute": dispute}
        answer = self._calls.send(
            PROPOSE, at, body=as_json(proposal), headers=_upon(if_match), once=once
        )
        return self._calls.read(PROPOSE, answer)

    def evidence(self, dispute: str, *, limit: int = 100) -> Iterator[Evidence]:
        """The files that were handed in, in that order; ``limit`` a call."""
        return items(self._calls, LIST_EVIDENCE, {"dispute": dispute}, {"limit": limit})

    def add_evidence(
        self,
        dispute: str,
        name: str,
        content: bytes,
        *,
        content_type: str = "application/pdf",
        if_match: str | None = None,
        once: str | None = None,
    ) -> Evidence:
        """Hands a file in: a PDF, a PNG or a JPEG of 10 MB at most, by its content."""
        answer = self._calls.send(
            ADD_EVIDENCE,
            {"dispute": dispute},
            query={"name": name},
            body=content,
            headers={"Content-Type": content_type, **_upon(if_match)},
            once=once,
        )
        return self._calls.read(ADD_EVIDENCE, answer)

    def file(self, dispute: str, sha256: str) -> bytes:
        """A file as it was handed in."""
        return self._calls.fetch(READ_EVIDENCE, {"dispute": dispute, "sha256": sha256})

    def _act(
        self,
        operation: Operation[WholeDispute],
        dispute: str,
        said: dict[str, str],
        if_match: str | None,
        once: str | None,
    ) -> WholeDispute:
        answer = self._calls.send(
            operation,
            {"dispute": dispute},
            body=as_json(said),
            headers=_upon(if_match),
            once=once,
        )
        return tagged(self._calls.read(operation, answer), answer)


def _upon(etag: str | None) -> dict[str, str]:
    return {} if etag is None else {"If-Match": etag}
