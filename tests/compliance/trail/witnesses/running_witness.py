"""Witnesses as somebody else runs them: the program, with a key and a folder of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings

from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.signed_heads import raw_key
from compliance.trail.witnesses import witness
from compliance.trail.witnesses.cosignatures import WitnessKey
from tests.compliance.trail.logs import KEY

LOG: Final = verifier_key("demo.invalid/log", raw_key(KEY.public_key()))
_PROGRAM: Final = (sys.executable, "-I", str(witness.__file__))


class RunningWitness:
    """A witness that listens on this machine."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name, self.url = folder, name, ""
        if not (folder / "witness.pem").exists():
            command = [*_PROGRAM, "make-key", str(folder), f"{name}.example/witness"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.key = WitnessKey.parse(str(witness.own_key(folder)))
        self._process: subprocess.Popen[str] | None = None

    @property
    def line(self) -> str:
        """Its line in a policy."""
        return f"witness {self.name} {self.key} {self.url}"

    @property
    def kept(self) -> str:
        """The checkpoint that it signed last."""
        return (self.folder / "checkpoint").read_text()

    def start(self, *options: str, log: str = LOG) -> None:
        """Starts it, on a port of its own."""
        command = [*_PROGRAM, "serve", str(self.folder), "--listen", "127.0.0.1:0", *options]
        self._process = subprocess.Popen(
            [*command, "--log", log], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        port = self.says().rpartition(" ")[2]
        self.url = f"http://127.0.0.1:{int(port)}"

    def says(self) -> str:
        """The next line that it prints."""
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def end(self) -> None:
        """Kills it, as the kernel would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@contextmanager
def running_witnesses(folder: Path, *names: str) -> Iterator[list[RunningWitness]]:
    """Witnesses of these names, which run. The policy is afterwards what it was."""
    before = settings.LOG_POLICY
    witnesses = [RunningWitness(folder / name, name) for name in names]
    try:
        for each in witnesses:
            each.start()
        yield witnesses
    finally:
        settings.LOG_POLICY = before
        for each in witnesses:
            each.end()


def policy_of(witnesses: list[RunningWitness], needed: str = "all") -> str:
    """The policy by which so many of them have to cosign."""
    members = " ".join(each.name for each in witnesses)
    lines = [each.line for each in witnesses]
    return "\n".join([*lines, f"group everybody {needed} {members}", "quorum everybody", ""])


def obey(witnesses: list[RunningWitness], needed: str = "all") -> None:
    """Puts that policy in force, as long as they run."""
    settings.LOG_POLICY = policy_of(witnesses, needed)
