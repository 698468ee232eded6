"""What became of each document of a batch, as its sender is told: one JSON line a document."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from rounds.documents import Document
from rounds.rules import facts
from rounds.services.sorting import NewRound, Sorted

ACCEPTED: Final = "accepted"
KNOWN: Final = "known"
CONFLICT: Final = "conflict"
REFUSED: Final = "refused"
VERDICTS: Final = (ACCEPTED, KNOWN, CONFLICT, REFUSED)

_INDEX: Final = re.compile(r"\[(\d+)\]")
_WHOLE: Final = "document"


def answers_of(found: Sorted) -> list[dict[str, Any]]:
    """The answer to each document, in the order of the lines."""
    return sorted(_answers(found), key=lambda answer: int(answer["line"]))


def as_lines(answers: list[dict[str, Any]]) -> bytes:
    """The same as NDJSON."""
    return b"".join(json.dumps(answer).encode() + b"\n" for answer in answers)


def pointer_of(field: str) -> str:
    """A place in a document as a JSON pointer: ``bets[3].stake`` is ``/bets/3/stake``."""
    if field == _WHOLE:
        return ""
    parts = _INDEX.sub(r".\1", field).split(".")
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _answers(found: Sorted) -> Iterator[dict[str, Any]]:
    for new in found.arrivals:
        identity = new.id if isinstance(new, NewRound) else None
        yield _answer(new.document, ACCEPTED, identity)
    for document, identity in found.known:
        yield _answer(document, KNOWN, identity)
    for conflict in found.conflicts:
        answer = _answer(conflict.document, CONFLICT, conflict.round_id)
        needed = "the content that was delivered first"
        yield answer | {"errors": [{"field": "", "found": "other content", "needed": needed}]}
    for document, reason in found.refusals:
        error = {
            "field": pointer_of(reason.field),
            "found": reason.found,
            "needed": reason.needed,
        }
        yield _answer(document, REFUSED, None) | {"errors": [error]}


def _answer(document: Document, verdict: str, identity: object) -> dict[str, Any]:
    said = document.said
    answer: dict[str, Any] = {"line": document.line, "verdict": verdict}
    if isinstance(said, facts.ShoeOpening):
        return answer | {"shoe": said.shoe}
    return answer | {"round": said.round, "id": None if identity is None else str(identity)}
