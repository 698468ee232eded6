"""The results of a batch for its sender: one JSON line per document."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from rounds.documents import Document
from rounds.rules import facts
from rounds.services.sort_documents import NewRound, SortedBatch

ACCEPTED: Final = "accepted"
KNOWN: Final = "known"
CONFLICT: Final = "conflict"
REFUSED: Final = "refused"
VERDICTS: Final = (ACCEPTED, KNOWN, CONFLICT, REFUSED)

_INDEX: Final = re.compile(r"\[(\d+)\]")
_WHOLE: Final = "document"


def answers_of(batch: SortedBatch) -> list[dict[str, Any]]:
    """The answer to each document, in the order of the lines."""
    return sorted(_answers(batch), key=lambda answer: int(answer["line"]))


def to_ndjson(answers: list[dict[str, Any]]) -> bytes:
    """The answers as NDJSON."""
    return b"".join(json.dumps(answer).encode() + b"\n" for answer in answers)


def pointer_of(field: str) -> str:
    """The JSON pointer of a field: ``/bets/3/stake`` for ``bets[3].stake``."""
    if field == _WHOLE:
        return ""
    parts = _INDEX.sub(r".\1", field).split(".")
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _answers(batch: SortedBatch) -> Iterator[dict[str, Any]]:
    for new in batch.arrivals:
        identity = new.id if isinstance(new, NewRound) else None
        yield _answer(new.document, ACCEPTED, identity)
    for document, identity in batch.known:
        yield _answer(document, KNOWN, identity)
    for conflict in batch.conflicts:
        answer = _answer(conflict.document, CONFLICT, conflict.round_id)
        needed = "the content that was delivered first"
        yield answer | {"errors": [{"field": "", "found": "other content", "needed": needed}]}
    for document, error in batch.rejected:
        field = {"field": pointer_of(error.field), "found": error.found, "needed": error.needed}
        yield _answer(document, REFUSED, None) | {"errors": [field]}


def _answer(document: Document, verdict: str, identity: object) -> dict[str, Any]:
    parsed = document.parsed
    answer: dict[str, Any] = {"line": document.line, "verdict": verdict}
    if isinstance(parsed, facts.ShoeOpening):
        return answer | {"shoe": parsed.shoe}
    return answer | {"round": parsed.round, "id": None if identity is None else str(identity)}
