"""ClamAV's daemon, with one signature of the tests' own: no database is fetched."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

VIRUS: Final = b"sabot tests: what the scanner knows"
NAME: Final = "Sabot.Test-1"


@contextmanager
def clamd(folder: Path) -> Iterator[Path]:
    """A running daemon; gives its socket."""
    program = shutil.which("clamd") or shutil.which("clamd", path="/usr/sbin")
    assert program, "clamd is needed: apt-get install clamav-daemon"
    signatures, path = folder / "signatures", folder / "clamd.sock"
    signatures.mkdir()
    (signatures / "tests.ndb").write_text(f"{NAME}:0:*:{VIRUS.hex()}\n")
    config = folder / "clamd.conf"
    config.write_text(
        f"LocalSocket {path}\nDatabaseDirectory {signatures}\nForeground yes\n"
        f"TemporaryDirectory {folder}\nLogFile {folder / 'clamd.log'}\nStreamMaxLength 11M\n"
    )
    with subprocess.Popen([program, "--config-file", str(config)]) as process:
        try:
            end = time.monotonic() + 60
            while not path.exists():
                assert process.poll() is None, "clamd does not start"
                assert time.monotonic() < end, "clamd takes too long to start"
                time.sleep(0.05)
            yield path
        finally:
            process.terminate()
