"""A log as it is published, and a witness that follows it as a regulator runs it."""

import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.signed_heads import raw_key
from compliance.trail.log.tiles import WIDTH, Tile, hashes_of, last_checkpoint
from compliance.trail.witnesses import witness
from tests.compliance.trail.logs import KEY, NOW, append, write

Files = dict[str, bytes]

_LEVELS: Final = 3


def published() -> Files:
    """What the log shows now, by its addresses."""
    checkpoint = last_checkpoint()
    size, files = int(checkpoint.split("\n")[1]), {"checkpoint": checkpoint.encode()}
    for level in range(_LEVELS):
        for index, first in enumerate(range(0, size >> 8 * level, WIDTH)):
            width = min(WIDTH, (size >> 8 * level) - first)
            shown = Tile(level, index, width)
            files[reverse("log_tile", args=[shown]).removeprefix("/log/")] = hashes_of(shown)
    return files


def grown(records: int) -> Files:
    """The log with more records."""
    write(records)
    append()
    return published()


def other_histories(*sizes: int) -> list[Files]:
    """Logs with the same beginning, each with other records after it."""
    logs = []
    for number, size in enumerate(sizes):
        before = transaction.savepoint()
        write(size, at=NOW.replace(minute=number))
        append()
        logs.append(published())
        transaction.savepoint_rollback(before)
    return logs


class Witness:
    """A folder of the witness, and a log that it follows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: Files = {}
        self.key = verifier_key(settings.LOG_ORIGIN, raw_key(KEY.public_key()))
        its = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = its.files.get(self.path.removeprefix("/log/"))
                self.send_response(404 if content is None else 200)
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_arguments: object) -> None:
                """Nothing is printed."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()

    def sees(self, files: Files, *more: str) -> tuple[int, str]:
        """Its exit status after a turn, and what it says."""
        self.files = files
        address = f"http://127.0.0.1:{self.server.server_port}/log"
        return self.run("follow", str(self.folder), address, "--log", self.key, "--once", *more)

    def run(self, *arguments: str) -> tuple[int, str]:
        """The command, as a stranger runs it."""
        command = [sys.executable, "-I", str(witness.__file__), *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        return ended.returncode, ended.stdout + ended.stderr

    @property
    def kept(self) -> str:
        """The checkpoint that it keeps."""
        return (self.folder / "checkpoint").read_text()

    def evidence(self) -> list[bytes]:
        """The two heads that contradict each other."""
        folder = self.folder / "evidence-1"
        return [(folder / name).read_bytes() for name in ("seen-before", "shown-now")]
