"""``sabot.rounds``: deliver and read rounds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import IO, Any, Final, Unpack, overload
from uuid import UUID

from . import streaming
from .calls import NDJSON, Calls, Operation, with_etag
from .paging import Listed, items
from .shapes.page import Page
from .shapes.rounds import (
    Bet,
    DeliveryResult,
    Job,
    LineResult,
    ListedRound,
    Receipt,
    RoundDetails,
    TimelineEntry,
)
from .waiting import wait_until

DELIVER: Final = Operation("deliver_rounds", "POST", "/rounds", DeliveryResult)
BEGIN_JOB: Final = Operation("deliver_rounds", "POST", "/rounds", Job)
READ_JOB: Final = Operation("read_job", "GET", "/jobs/{job}", Job)
LIST_JOBS: Final = Operation("list_jobs", "GET", "/jobs", Page[Job])
CANCEL_JOB: Final = Operation("cancel_job", "DELETE", "/jobs/{job}", Job)
LIST_RESULTS: Final = Operation("list_job_results", "GET", "/jobs/{job}/results", LineResult)
LIST: Final = Operation("list_rounds", "GET", "/rounds", Page[ListedRound])
READ: Final = Operation("read_round", "GET", "/rounds/{round}", RoundDetails)
LIST_BETS: Final = Operation("list_bets", "GET", "/rounds/{round}/bets", Page[Bet])
READ_TIMELINE: Final = Operation(
    "read_timeline", "GET", "/rounds/{round}/timeline", Page[TimelineEntry]
)
READ_RECEIPT: Final = Operation("read_receipt", "GET", "/rounds/{round}/receipt", Receipt)
DOWNLOAD_FILE: Final = Operation(
    "download_verification_file", "GET", "/rounds/{round}/verification-file", bytes
)
_PORTION: Final = 4 << 20
_UNCHANGED: Final = 304
_ENDED: Final = ("finished", "cancelled")


class RoundFilters(Listed, total=False):
    """The filters of the list of rounds; those by a time order it by that time."""

    table: str | None
    rules: str | None
    status: str | None
    opened_since: datetime | None
    opened_before: datetime | None
    received_since: datetime | None
    received_before: datetime | None
    settled_since: datetime | None
    settled_before: datetime | None
    changed_since: datetime | None
    customer: str | None
    session: str | None
    expand: Sequence[str]


class JobFilters(Listed, total=False):
    """The filters of the list of jobs."""

    delivered_since: datetime | None
    delivered_before: datetime | None
    finished_since: datetime | None
    finished_before: datetime | None


class RoundCalls:
    """Operations on rounds, identified by Sabot's id or the studio's."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def deliver(self, document: Mapping[str, Any], *, once: str | None = None) -> DeliveryResult:
        """Delivers one document of the feed.

        Raises Conflict if the round is stored with other content, and Refused if the document is
        invalid: both documents are kept for review by people.
        """
        return self._calls.call(DELIVER, body=document, once=once)

    def deliver_stream(
        self, documents: Iterable[streaming.Document], *, portion_bytes: int = _PORTION
    ) -> Iterator[LineResult]:
        """Delivers any number of documents and yields the result of each, in order.

        They are sent in portions of ``portion_bytes``; one portion is in memory. After a broken
        connection the lines without a result are sent again; those already stored are ``known``.
        Nothing is sent before the first result is read.
        """
        return streaming.deliver(self._calls, DELIVER, documents, portion_bytes=portion_bytes)

    def begin_job(self, feed: bytes | IO[bytes], *, once: str | None = None) -> Job:
        """Queues a feed, NDJSON or gzip of it, for the workers; an open file is streamed."""
        headers = {"Content-Type": NDJSON, "Prefer": "respond-async"}
        answer = self._calls.send(BEGIN_JOB, body=feed, headers=headers, once=once)
        return self._calls.read(BEGIN_JOB, answer)

    def job(self, job: UUID) -> Job:
        """A job with its progress."""
        return self._calls.call(READ_JOB, {"job": job})

    def jobs(self, **filters: Unpack[JobFilters]) -> Iterator[Job]:
        """The jobs of the key."""
        return items(self._calls, LIST_JOBS, {}, filters)

    def cancel_job(self, job: UUID) -> Job:
        """Ends a job: what is stored stays, the rest is not read. Raises Conflict if finished."""
        return self._calls.call(CANCEL_JOB, {"job": job})

    def wait_for_job(self, job: UUID, *, seconds: float = 600, pause: float = 1) -> Job:
        """Waits until the job is finished or cancelled. Raises NoAnswer after ``seconds``."""
        return wait_until(
            lambda: self.job(job),
            lambda answer: answer.status in _ENDED,
            seconds=seconds,
            pause=pause,
        )

    def job_results(self, job: UUID) -> Iterator[LineResult]:
        """The results of a job so far, one per line."""
        headers = {"Accept": NDJSON}
        answer = self._calls.send(LIST_RESULTS, {"job": job}, headers=headers, is_stream=True)
        return streaming.read_lines(answer)

    def list(self, **filters: Unpack[RoundFilters]) -> Iterator[ListedRound]:
        """Rounds, without gaps or duplicates; ``expand`` names the parts to add to each."""
        return items(self._calls, LIST, {}, filters)

    @overload
    def get(
        self,
        round_id: UUID | str,
        *,
        customer: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> RoundDetails: ...

    @overload
    def get(
        self,
        round_id: UUID | str,
        *,
        customer: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        if_none_match: str,
    ) -> RoundDetails | None: ...

    def get(
        self,
        round_id: UUID | str,
        *,
        customer: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        if_none_match: str | None = None,
    ) -> RoundDetails | None:
        """A round; None if its ETag is still ``if_none_match``."""
        headers = {"If-None-Match": if_none_match} if if_none_match else None
        query = {"customer": customer, "limit": limit, "cursor": cursor}
        answer = self._calls.send(READ, {"round": round_id}, query=query, headers=headers)
        if answer.status_code == _UNCHANGED:
            return None
        return with_etag(self._calls.read(READ, answer), answer)

    def bets(
        self, round_id: UUID | str, *, customer: str | None = None, limit: int = 200
    ) -> Iterator[Bet]:
        """A round's bets with outcome, payout, reasons and explanation; ``limit`` per page."""
        query = {"customer": customer, "limit": limit}
        return items(self._calls, LIST_BETS, {"round": round_id}, query)

    def timeline(self, round_id: UUID | str, *, limit: int = 100) -> Iterator[TimelineEntry]:
        """The audit records of a round, oldest first; ``limit`` per page."""
        return items(self._calls, READ_TIMELINE, {"round": round_id}, {"limit": limit})

    def receipt(self, round_id: UUID | str) -> Receipt:
        """Proofs of the audit records of a round; retried until they are in the signed log."""
        return self._calls.call(READ_RECEIPT, {"round": round_id})

    def verification_file(self, round_id: UUID | str, *, customer: str | None = None) -> bytes:
        """A page that judges the round and verifies its proofs; with the bets of one customer."""
        query = {"customer": customer}
        return self._calls.fetch(DOWNLOAD_FILE, {"round": round_id}, query=query)
