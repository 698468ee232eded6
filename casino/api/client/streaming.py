"""Delivers a stream of documents in portions; lines without a result are sent again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import requests

from .calls import NDJSON, Calls, Operation, as_json
from .problems import SabotFailed, Unreadable
from .reading import read_json
from .shapes.rounds import LineResult

_STOPPED: Final = "stream-stopped"
Document = Mapping[str, Any] | bytes


def deliver(
    calls: Calls, operation: Operation[Any], documents: Iterable[Document], *, portion_bytes: int
) -> Iterator[LineResult]:
    """The result of each document, in order, numbered from 1 over all portions."""
    before = 0
    for portion in _portions(documents, portion_bytes):
        for answer in _deliver_portion(calls, operation, portion):
            yield replace(answer, line=before + answer.line)
        before += len(portion)


def read_lines(response: requests.Response) -> Iterator[LineResult]:
    """The lines of a response, each as soon as it arrives."""
    with response:
        for number, line in enumerate(response.iter_lines(), 1):
            yield read_json(LineResult, line, f"line {number}")


def _deliver_portion(
    calls: Calls, operation: Operation[Any], portion: list[bytes]
) -> Iterator[LineResult]:
    done, retries = 0, calls.retries
    while done < len(portion):
        try:
            before = done
            for answer in read_lines(_send(calls, operation, portion[done:])):
                done, retries = done + 1, calls.retries  # progress restores all attempts
                if before + answer.line != done:
                    raise Unreadable("/line", answer.line, str(done - before))
                yield replace(answer, line=done)
            _check_complete(done, len(portion))
        except requests.RequestException as error:
            retries = calls.wait_before_retry(retries, operation, error)
        except SabotFailed as failure:
            if failure.kind != _STOPPED:
                raise
            retries = calls.wait_before_retry(retries, operation, failure)


def _send(calls: Calls, operation: Operation[Any], lines: list[bytes]) -> requests.Response:
    headers = {"Content-Type": NDJSON, "Accept": NDJSON}
    body = b"".join(line + b"\n" for line in lines)
    return calls.send(operation, body=body, headers=headers, is_stream=True)


def _check_complete(answered: int, sent: int) -> None:
    if answered < sent:
        raise requests.ConnectionError(f"{answered} of {sent} lines have a result")


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
