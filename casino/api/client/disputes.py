"""``sabot.disputes``: open disputes and follow their progress."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, Unpack, overload
from uuid import UUID

from .calls import Calls, Operation, as_json, with_etag
from .paging import Listed, items
from .shapes.disputes import (
    CitedHeading,
    DecisionProposal,
    DisputeDetails,
    DisputeStep,
    Evidence,
    ListedDispute,
)
from .shapes.page import Page
from .shapes.proofs import RecordProof

_ALL: Final = "/disputes"
_ONE: Final = "/disputes/{dispute}"
LIST: Final = Operation("list_disputes", "GET", _ALL, Page[ListedDispute])
OPEN: Final = Operation("open_dispute", "POST", _ALL, DisputeDetails)
READ: Final = Operation("read_dispute", "GET", _ONE, DisputeDetails)
LIST_STEPS: Final = Operation("list_dispute_steps", "GET", f"{_ONE}/steps", Page[DisputeStep])
PROVE: Final = Operation("prove_dispute_record", "GET", f"{_ONE}/proofs/{{record}}", RecordProof)
ANSWER: Final = Operation("answer_dispute", "POST", f"{_ONE}/answers", DisputeDetails)
ESCALATE: Final = Operation("escalate_dispute", "POST", f"{_ONE}/escalations", DisputeDetails)
LIST_EVIDENCE: Final = Operation("list_evidence", "GET", f"{_ONE}/evidence", Page[Evidence])
ADD_EVIDENCE: Final = Operation("add_evidence", "POST", f"{_ONE}/evidence", Evidence)
LIST_HEADINGS: Final = Operation("list_headings", "GET", f"{_ONE}/headings", Page[CitedHeading])
LIST_PROPOSALS: Final = Operation(
    "list_proposals", "GET", f"{_ONE}/proposals", Page[DecisionProposal]
)
READ_PROPOSAL: Final = Operation(
    "read_proposal", "GET", f"{_ONE}/proposals/{{proposal}}", DecisionProposal
)
PROPOSE: Final = Operation("propose_decision", "POST", f"{_ONE}/proposals", DecisionProposal)
READ_EVIDENCE: Final = Operation("read_evidence", "GET", f"{_ONE}/evidence/{{sha256}}", bytes)
_UNCHANGED: Final = 304


class DisputeFilters(Listed, total=False):
    """The filters of the list of disputes; those by a time order it by that time."""

    state: str | None
    overdue: bool | None
    customer: str | None
    round_: UUID | str | None
    opened_since: datetime | None
    opened_before: datetime | None
    changed_since: datetime | None
    expand: Sequence[str]


class DisputeCalls:
    """Operations on disputes. ``if_match`` is the ETag of the version to act on."""

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
    ) -> DisputeDetails:
        """Disputes a round, or one bet of it by the studio's id or by its index.

        ``customer`` is optional with a customer's own token. Raises Conflict for a duplicate.
        """
        fields = {
            "round": str(round_id),
            "reason": reason,
            "text": text,
            "customer": customer,
            "bet_number" if isinstance(bet, int) else "bet": bet,
            "claimed_cents": claimed_cents,
            "language": language,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        answer = self._calls.send(OPEN, body=as_json(body), once=once)
        return with_etag(self._calls.read(OPEN, answer), answer)

    def list(self, **filters: Unpack[DisputeFilters]) -> Iterator[ListedDispute]:
        """Disputes, without gaps or duplicates; ``expand`` names the parts to add to each."""
        return items(self._calls, LIST, {}, filters)

    @overload
    def get(self, dispute: str) -> DisputeDetails: ...

    @overload
    def get(self, dispute: str, *, if_none_match: str) -> DisputeDetails | None: ...

    def get(self, dispute: str, *, if_none_match: str | None = None) -> DisputeDetails | None:
        """A dispute; None if its ETag is still ``if_none_match``."""
        headers = {"If-None-Match": if_none_match} if if_none_match else None
        answer = self._calls.send(READ, {"dispute": dispute}, headers=headers)
        if answer.status_code == _UNCHANGED:
            return None
        return with_etag(self._calls.read(READ, answer), answer)

    def steps(self, dispute: str, *, limit: int = 100) -> Iterator[DisputeStep]:
        """The steps of a dispute, oldest first; ``limit`` per page."""
        return items(self._calls, LIST_STEPS, {"dispute": dispute}, {"limit": limit})

    def proof(self, dispute: str, record: UUID) -> RecordProof:
        """The proof of a record of the finding; retried until it is in the signed log."""
        return self._calls.call(PROVE, {"dispute": dispute, "record": record})

    def answer(
        self, dispute: str, text: str, *, if_match: str | None = None, once: str | None = None
    ) -> DisputeDetails:
        """Submits the customer's answer. Raises Conflict without an open question or if changed."""
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
    ) -> DisputeDetails:
        """Records the customer's letter to the external body. Raises Conflict."""
        body = {"reference": reference, "on_day": on_day.isoformat(), "text": text}
        return self._act(ESCALATE, dispute, body, if_match, once)

    def headings(self, dispute: str) -> tuple[CitedHeading, ...]:
        """The headings that a decision may cite, in the order of the rule sheet."""
        return self._calls.call(LIST_HEADINGS, {"dispute": dispute}).data

    def proposals(self, dispute: str, *, limit: int = 100) -> Iterator[DecisionProposal]:
        """The proposed decisions, oldest first; ``limit`` per page."""
        return items(self._calls, LIST_PROPOSALS, {"dispute": dispute}, {"limit": limit})

    def proposal(self, dispute: str, proposal: int) -> DecisionProposal:
        """A proposed decision."""
        at = {"dispute": dispute, "proposal": proposal}
        return self._calls.call(READ_PROPOSAL, at)

    def propose(
        self,
        dispute: str,
        proposal: Mapping[str, Any],
        *,
        if_match: str | None = None,
        once: str | None = None,
    ) -> DecisionProposal:
        """Proposes a decision with the fields of ``docs/api.md``; a person decides.

        Raises Conflict if the dispute is not in review, or has changed.
        """
        at = {"dispute": dispute}
        answer = self._calls.send(
            PROPOSE, at, body=as_json(proposal), headers=_if_match(if_match), once=once
        )
        return self._calls.read(PROPOSE, answer)

    def evidence(self, dispute: str, *, limit: int = 100) -> Iterator[Evidence]:
        """The evidence, oldest first; ``limit`` per page."""
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
        """Adds a file: a PDF, a PNG or a JPEG of at most 10 MB, by its content."""
        answer = self._calls.send(
            ADD_EVIDENCE,
            {"dispute": dispute},
            query={"name": name},
            body=content,
            headers={"Content-Type": content_type, **_if_match(if_match)},
            once=once,
        )
        return self._calls.read(ADD_EVIDENCE, answer)

    def file(self, dispute: str, sha256: str) -> bytes:
        """The content of a file."""
        return self._calls.fetch(READ_EVIDENCE, {"dispute": dispute, "sha256": sha256})

    def _act(
        self,
        operation: Operation[DisputeDetails],
        dispute: str,
        body: dict[str, str],
        if_match: str | None,
        once: str | None,
    ) -> DisputeDetails:
        answer = self._calls.send(
            operation,
            {"dispute": dispute},
            body=as_json(body),
            headers=_if_match(if_match),
            once=once,
        )
        return with_etag(self._calls.read(operation, answer), answer)


def _if_match(etag: str | None) -> dict[str, str]:
    return {} if etag is None else {"If-Match": etag}
