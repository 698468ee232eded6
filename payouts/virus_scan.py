"""Files are scanned by ClamAV's daemon, where an installation names one (``CLAMD``).

Source of the protocol: clamd(8), INSTREAM and VERSION.
"""

import re
import socket
from collections.abc import Iterator
from typing import Final

from django.conf import settings

from compliance.trail.steps import StepError

_TIMEOUT: Final = 20  # seconds for each answer
_CHUNK: Final = 1 << 20
_LONGEST_ANSWER: Final = 4096
_ADDRESS: Final = re.compile(r"unix:(?P<path>/.+)|tcp:(?P<host>[^/]+):(?P<port>[0-9]{1,5})")


class ScanFailed(StepError):
    """The scanner cannot be reached, or gave no verdict. Nothing was stored."""


class NoScannerAddress(ValueError):
    """``CLAMD`` is no address."""

    def __init__(self, found: str) -> None:
        super().__init__(f"CLAMD: found {found!r}; needed unix:/PATH or tcp:HOST:PORT")


def virus_in(content: bytes) -> str | None:
    """The name of the virus that the scanner finds, else None. Raises ScanFailed."""
    answer = _ask(b"zINSTREAM\0", *_chunks(content))
    found = re.fullmatch(r"stream: (.+) FOUND", answer)
    if found is None and answer != "stream: OK":
        raise ScanFailed(answer or "no answer")
    return found[1] if found else None


def scanner_version() -> str:
    """What scans, with the number and date of its signatures. Raises ScanFailed."""
    return _ask(b"zVERSION\0")


def _chunks(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), _CHUNK):
        part = content[start : start + _CHUNK]
        yield len(part).to_bytes(4) + part
    yield bytes(4)


def _ask(*parts: bytes) -> str:
    try:
        with _connection() as scanner:
            for part in parts:
                scanner.sendall(part)
            with scanner.makefile("rb") as answer:
                text = answer.read(_LONGEST_ANSWER)
    except OSError as error:
        raise ScanFailed(str(error)) from error
    return text.rstrip(b"\0\n").decode(errors="replace")


def _connection() -> socket.socket:
    address = _ADDRESS.fullmatch(settings.CLAMD)
    if address is None:
        raise NoScannerAddress(settings.CLAMD)
    if address["path"] is None:
        return socket.create_connection((address["host"], int(address["port"])), _TIMEOUT)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_TIMEOUT)
    try:
        connection.connect(address["path"])
    except OSError:
        connection.close()
        raise
    return connection
