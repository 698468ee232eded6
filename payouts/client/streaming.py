"""A stream of documents, sent in portions; what was not answered is sent again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import requests

from .calls import NDJSON, Calls, Operation, as_json
from .problems import SabotFailed, Unreadable
from .reading import read_json
from .round_shapes import LineAnswer

_STOPPED: Final = "stream-stopped"
Document = Mapping[str, Any] | bytes


def deliver(
    calls: Calls, operation: Operation[Any], documents: Iterable[Document], *, portion_bytes: int
) -> Iterator[LineAnswer]:
    """What became of each document, in their order, numbered from 1 over all portions."""
    before = 0
    for portion in _portions(documents, portion_bytes):
        for answer in _delivered(calls, operation, portion):
            yield replace(answer, line=before + answer.line)
        before += len(portion)


def answers_of(response: requests.Response) -> Iterator[LineAnswer]:
    """The lines of an answer, each as soon as it is there."""
    with response:
        for number, line in enumerate(response.iter_lines(), 1):
            yield read_json(LineAnswer, line, f"line {number}")


def _delivered(
    calls: Calls, operation: Operation[Any], portion: list[bytes]
) -> Iterator[LineAnswer]:
    done, patience = 0, calls.patience
    while done < len(portion):
        try:
            before = done
            for answer in answers_of(_sent(calls, operation, portion[done:])):
                done, patience = done + 1, calls.patience  # it goes on: patience begins anew
                if before + answer.line != done:
                    raise Unreadable("/line", answer.line, str(done - before))
                yield replace(answer, line=done)
            _check_whole(done, len(portion))
        except requests.RequestException as error:
            patience = calls.again(patience, operation, error)
        except SabotFailed as failure:
            if failure.kind != _STOPPED:
                raise
            patience = calls.again(patience, operation, failure)


def _sent(calls: Calls, operation: Operation[Any], lines: list[bytes]) -> requests.Response:
    headers = {"Content-Type": NDJSON, "Accept": NDJSON}
    body = b"".join(line + b"\n" for line in lines)
    return calls.send(operation, body=body, headers=headers, is_stream=True)


def _check_whole(answered: int, sent: int) -> None:
    if answered < sent:
        raise requests.ConnectionError(f"{answered} of {sent} lines were answered")


def _portions(documents: Iterable[Document], most_bytes: int) -> Iterator[list[bytes]]:
    portion: list[bytes] = []
    size = 0
    for line in map(_line, documents):
        if portion and size + len(line) > most_bytes:
            yield portion
            portion, size = [], 0
        portion.append(line)
        size += len(line) + 1
    if portion:
        yield portion


def _line(document: Document) -> bytes:
    line = document.rstrip(b"\r\n") if isinstance(document, bytes) else as_json(document)
    if not line.strip() or b"\n" in line:
        raise ValueError(f"a document is one line, not {line[:80]!r}")
    return line
