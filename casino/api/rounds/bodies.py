"""Request bodies of any length, read in pieces; at most one line is in memory."""

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.problems import FieldError, Problem

LONGEST_LINE: Final = 32 << 20
"""Octets of one document in a stream; a longer one needs a job."""
_PIECE: Final = 1 << 18
_PLAIN: Final = "identity"


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def read_pieces(request: HttpRequest, *, allow_encoding: bool = False) -> Iterator[bytes]:
    """The body in pieces, with or without Content-Length.

    Raises Problem for an incomplete body, and for a Content-Encoding unless ``allow_encoding``.
    """
    encoding = request.headers.get("Content-Encoding", _PLAIN)
    if encoding.lower() != _PLAIN and not allow_encoding:
        error = FieldError(
            "header:Content-Encoding", encoding, _("no Content-Encoding; gzip for a job")
        )
        raise Problem(problems.UNSUPPORTED, errors=[error])
    declared = request.META.get("CONTENT_LENGTH")
    stream: _Stream = request
    if not declared and request.META.get("wsgi.input_terminated"):
        stream = request.META["wsgi.input"]  # chunked: Django takes it for empty
    received = 0
    try:
        while piece := stream.read(_PIECE):
            received += len(piece)
            yield piece
    except (UnreadablePostError, OSError) as error:
        raise _incomplete(received, declared) from error
    if declared and received != int(declared):
        raise _incomplete(received, declared)


def split_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream, with their line feeds. Raises Problem for a line that is too long."""
    buffered: list[bytes] = []
    size, number = 0, 1
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for end in ended:
            yield b"".join((*buffered, end, b"\n"))
            buffered, size, number = [], 0, number + 1
        buffered.append(rest)
        size += len(rest)
        if size > LONGEST_LINE:
            needed = _("at most %(most)d bytes, or Prefer: respond-async")
            error = FieldError(f"line:{number}", f"{size} octets", needed % {"most": LONGEST_LINE})
            raise Problem(problems.TOO_LARGE, errors=[error])
    if last := b"".join(buffered):
        yield last


def _incomplete(received: int, declared: str | None) -> Problem:
    needed = declared or _("a final chunk of length zero")
    error = FieldError("header:Content-Length", f"{received} octets", needed)
    return Problem(problems.MALFORMED, errors=[error])
