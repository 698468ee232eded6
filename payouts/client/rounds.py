"""``sabot.rounds``: rounds in, and rounds out."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import IO, Any, Final, overload
from uuid import UUID

from . import streaming
from .calls import NDJSON, Calls, Operation, tagged
from .paging import Page, items
from .round_shapes import (
    Bet,
    Job,
    LineAnswer,
    Receipt,
    RoundInShort,
    Taken,
    TimelineEntry,
    WholeRound,
)
from .waiting import waited

DELIVER: Final = Operation("deliver_rounds", "POST", "/rounds", Taken)
BEGIN_JOB: Final = Operation("deliver_rounds", "POST", "/rounds", Job)
READ_JOB: Final = Operation("read_job", "GET", "/rounds/jobs/{job}", Job)
READ_ANSWERS: Final = Operation("read_job_answers", "GET", "/rounds/jobs/{job}/answers", LineAnswer)
LIST: Final = Operation("list_rounds", "GET", "/rounds", Page[RoundInShort])
READ: Final = Operation("read_round", "GET", "/rounds/{round}", WholeRound)
LIST_BETS: Final = Operation("list_bets", "GET", "/rounds/{round}/bets", Page[Bet])
READ_TIMELINE: Final = Operation(
    "read_timeline", "GET", "/rounds/{round}/timeline", Page[TimelineEntry]
)
READ_RECEIPT: Final = Operation("read_receipt", "GET", "/rounds/{round}/receipt", Receipt)
_PORTION: Final = 4 << 20
_UNCHANGED: Final = 304
_FINISHED: Final = "finished"


class RoundCalls:
    """What can be done with rounds. A round is named by Sabot's id or by its studio's."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def deliver(self, document: Mapping[str, Any], *, once: str | None = None) -> Taken:
        """Delivers one document of the feed.

        Raises Conflict where the round is stored with other content, and Refused where the
        document cannot be taken: both are kept for persons to look at.
        """
        return self._calls.tell(DELIVER, body=document, once=once)

    def deliver_stream(
        self, documents: Iterable[streaming.Document], *, portion_bytes: int = _PORTION
    ) -> Iterator[LineAnswer]:
        """Delivers any number of documents and gives the answer to each, in their order.

        They are sent in portions of so many octets, no more than one of which is in memory. Where
        a connection breaks, the lines that were not answered are sent again; of those, what was
        taken already is answered ``known``. Nothing is sent until the first answer is asked for.
        """
        return streaming.deliver(self._calls, DELIVER, documents, portion_bytes=portion_bytes)

    def begin_job(self, feed: bytes | IO[bytes], *, once: str | None = None) -> Job:
        """Hands a whole feed, NDJSON or gzip of it, to the workers; an open file is not read in."""
        headers = {"Content-Type": NDJSON, "Prefer": "respond-async"}
        answer = self._calls.send(BEGIN_JOB, body=feed, headers=headers, once=once)
        return self._calls.read(BEGIN_JOB, answer)

    def job(self, job: UUID) -> Job:
        """How far a job has come."""
        return self._calls.tell(READ_JOB, {"job": job})

    def wait_for_job(self, job: UUID, *, seconds: float = 600, pause: float = 1) -> Job:
        """The job, once it is finished. Raises NoAnswer where that takes more seconds."""
        return waited(
            lambda: self.job(job),
            lambda found: found.status == _FINISHED,
            seconds=seconds,
            pause=pause,
        )

    def job_answers(self, job: UUID) -> Iterator[LineAnswer]:
        """What became of each line of a job, as far as the workers have come."""
        headers = {"Accept": NDJSON}
        answer = self._calls.send(READ_ANSWERS, {"job": job}, headers=headers, is_stream=True)
        return streaming.answers_of(answer)

    def list(
        self,
        *,
        table: str | None = None,
        rules: str | None = None,
        status: str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        customer: str | None = None,
        session: str | None = None,
        limit: int = 200,
    ) -> Iterator[RoundInShort]:
        """Rounds, newest play first, ``limit`` a call; none is skipped or told twice meanwhile."""
        query = {
            "table": table,
            "rules": rules,
            "status": status,
            "from": from_,
            "to": to,
            "customer": customer,
            "session": session,
            "limit": limit,
        }
        return items(self._calls, LIST, {}, query)

    @overload
    def get(
        self,
        round_id: UUID | str,
        *,
        customer: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> WholeRound: ...

    @overload
    def get(
        self,
        round_id: UUID | str,
        *,
        customer: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        if_none_match: str,
    ) -> WholeRound | None: ...

    def get(
        self,
        round_id: UUID | str,
        *,
        customer: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        if_none_match: str | None = None,
    ) -> WholeRound | None:
        """All about a round; None where it is still as the ETag ``if_none_match`` has it."""
        headers = {"If-None-Match": if_none_match} if if_none_match else None
        query = {"customer": customer, "limit": limit, "cursor": cursor}
        answer = self._calls.send(READ, {"round": round_id}, query=query, headers=headers)
        if answer.status_code == _UNCHANGED:
            return None
        return tagged(self._calls.read(READ, answer), answer)

    def bets(
        self, round_id: UUID | str, *, customer: str | None = None, limit: int = 200
    ) -> Iterator[Bet]:
        """A round's bets, each with outcome, payout, reasons and explanation; ``limit`` a call."""
        query = {"customer": customer, "limit": limit}
        return items(self._calls, LIST_BETS, {"round": round_id}, query)

    def timeline(self, round_id: UUID | str, *, limit: int = 100) -> Iterator[TimelineEntry]:
        """What was recorded about a round, oldest first; ``limit`` a call."""
        return items(self._calls, READ_TIMELINE, {"round": round_id}, {"limit": limit})

    def receipt(self, round_id: UUID | str) -> Receipt:
        """Proofs of a round's records; asked again while the signed log has not come to them."""
        return self._calls.tell(READ_RECEIPT, {"round": round_id})
