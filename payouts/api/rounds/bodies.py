"""Bodies of any length, read piece by piece: no more of them is in memory than a line."""

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _

from payouts.api import problems
from payouts.api.problems import FieldError, Problem

LONGEST_LINE: Final = 32 << 20
"""Octets of one document in a stream; longer ones are taken as a job."""
_PIECE: Final = 1 << 18
_PLAIN: Final = "identity"


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def pieces_of(request: HttpRequest, *, as_it_is: bool = False) -> Iterator[bytes]:
    """The body as it comes, also one whose length nobody has declared.

    Raises Problem where it breaks off: what is not there to its end is not taken for the end; and
    where it is encoded, unless ``as_it_is`` whoever keeps it finds that out.
    """
    encoding = request.headers.get("Content-Encoding", _PLAIN)
    if encoding.lower() != _PLAIN and not as_it_is:
        error = FieldError("header:Content-Encoding", encoding, _("none; a job may be gzip"))
        raise Problem(problems.UNSUPPORTED, errors=[error])
    declared = request.META.get("CONTENT_LENGTH")
    stream: _Stream = request
    if not declared and request.META.get("wsgi.input_terminated"):
        stream = request.META["wsgi.input"]  # chunked: Django takes it for empty
    came = 0
    try:
        while piece := stream.read(_PIECE):
            came += len(piece)
            yield piece
    except (UnreadablePostError, OSError) as error:
        raise _broken_off(came, declared) from error
    if declared and came != int(declared):
        raise _broken_off(came, declared)


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream, each with its end. Raises Problem for one that is too long."""
    begun: list[bytes] = []
    held, number = 0, 1
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for end in ended:
            yield b"".join((*begun, end, b"\n"))
            begun, held, number = [], 0, number + 1
        begun.append(rest)
        held += len(rest)
        if held > LONGEST_LINE:
            needed = _("at most %(most)d octets, or Prefer: respond-async")
            error = FieldError(f"line:{number}", f"{held} octets", needed % {"most": LONGEST_LINE})
            raise Problem(problems.TOO_LARGE, errors=[error])
    if last := b"".join(begun):
        yield last


def _broken_off(came: int, declared: str | None) -> Problem:
    needed = declared or _("a last chunk of no length")
    error = FieldError("header:Content-Length", f"{came} octets", needed)
    return Problem(problems.MALFORMED, errors=[error])
