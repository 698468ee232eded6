"""Witnesses of the demo's audit log: two programs that cosign it, as those of others would."""

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

from casino.devserver.watch import Program
from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.key_file import make_key, read_key
from compliance.trail.log.signed_heads import raw_key
from compliance.trail.witnesses import witness

POLICY: Final = "log-policy"
"""The file that names them: the default of LOG_POLICY_FILE in a demo."""
_NAMES: Final = ("one", "two")


def make_witnesses(folder: Path, *, log_key: Path, origin: str) -> None:
    """Makes their keys, and the policy by which both have to cosign.

    Without OpenSSL 3, which they need, the policy needs nobody. The log's key is made if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    key = read_key(log_key) if log_key.exists() else make_key(log_key)
    log = verifier_key(origin, raw_key(key.public_key()))
    if not _has_openssl():
        (folder / POLICY).write_text("quorum none\n")
        return
    lines = [f"log {log}"]
    for name in _NAMES:
        own = _folder_of(folder, log, name)
        if not (own / "witness.pem").exists():
            made = f"demo.invalid/{name}"
            command = [sys.executable, witness.__file__, "make-key", str(own), made]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines.append(f"witness {name} {witness.own_key(own)} http://127.0.0.1:{_free_port()}")
    lines += [f"group both all {' '.join(_NAMES)}", "quorum both", ""]
    (folder / POLICY).write_text("\n".join(lines))


def witness_programs(folder: Path) -> list[Program]:
    """The programs of the policy's witnesses."""
    lines = [line.split() for line in (folder / POLICY).read_text().splitlines()]
    logs = [words[1] for words in lines if words[0] == "log"]
    return [
        Program(
            f"witness-{words[1]}",
            (
                *(sys.executable, witness.__file__, "serve"),
                str(_folder_of(folder, logs[0], words[1])),
                *("--log", logs[0], "--listen", words[3].removeprefix("http://")),
            ),
        )
        for words in lines
        if words[0] == "witness"
    ]


def _folder_of(folder: Path, log: str, name: str) -> Path:
    """What the witness has seen of this log. A sandbox that was reset has another log."""
    return folder / f"{log.split('+')[1]}-{name}"


def _has_openssl() -> bool:
    """Whether it is here, and no earlier one or a substitute."""
    path = shutil.which("openssl")
    if path is None:
        return False
    said = subprocess.run([path, "version"], capture_output=True, text=True, check=False)
    return re.match("OpenSSL [3-9]", said.stdout) is not None


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])
