"""The results of a batch for its sender: one JSON line per document."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from rounds.documents import Document
from rounds.models import Round
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
        if isinstance(new, NewRound):
            yield _answer(new.document, ACCEPTED, new.id) | {"anomalies": new.anomalies}
        else:
            yield _answer(new.document, ACCEPTED, None)
    anomalies = _arrival_anomalies([known.round_id for known in batch.known if known.round_id])
    for document, identity in batch.known:
        found = {"anomalies": anomalies[identity]} if identity else {}
        yield _answer(document, KNOWN, identity) | found
    for conflict in batch.conflicts:
        answer = _answer(conflict.document, CONFLICT, conflict.round_id)
        needed = "the content that was delivered first"
        yield answer | {"errors": [{"field": "", "found": "other content", "needed": needed}]}
    for document, error in batch.rejected:
        field = {"field": pointer_of(error.field), "found": error.found, "needed": error.needed}
        yield _answer(document, REFUSED, None) | {"errors": [field]}


def _arrival_anomalies(ids: list[UUID]) -> dict[UUID, list[str]]:
    """Why stored rounds are held because of their arrival: what the first answer said, again."""
    if not ids:
        return {}
    return dict(Round.objects.filter(id__in=ids).values_list("id", "arrival_anomalies"))


def _answer(document: Document, verdict: str, identity: object) -> dict[str, Any]:
    parsed = document.parsed
    answer: dict[str, Any] = {"line": document.line, "verdict": verdict}
    if isinstance(parsed, facts.ShoeOpening):
        return answer | {"shoe": parsed.shoe}
    return answer | {"round": parsed.round, "id": None if identity is None else str(identity)}
