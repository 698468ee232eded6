"""A wall clock for each host of the installation, which a fault can step while programs run."""

import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_SOURCE: Final = Path(__file__).with_name("clock.c")
_FORMAT: Final = struct.Struct("=q")


class Clocks:
    """The clocks of the hosts; without a C compiler they cannot be stepped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir()
        self._library = folder / "clock.so"
        self.can_step: Final = _is_compiled(self._library)
        """Whether programs can be given a clock of their own."""

    def environment_of(self, host: str) -> Mapping[str, str]:
        """The variables of a program on this host; none if no clock can be stepped."""
        if not self.can_step:
            return {}
        self.step(host, seconds=0)
        file = str(self._file_of(host))
        return {"LD_PRELOAD": str(self._library), "SABOT_SOAK_CLOCK": file}

    def step(self, host: str, *, seconds: int) -> None:
        """Sets a host's clock so far ahead of the machine's, or back if negative; at once."""
        with self._file_of(host).open("r+b" if self._file_of(host).exists() else "wb") as file:
            file.write(_FORMAT.pack(seconds))

    def _file_of(self, host: str) -> Path:
        return self._folder / host


def _is_compiled(library: Path) -> bool:
    compiler = shutil.which("cc")
    if compiler is None:
        return False
    options = ("-shared", "-fPIC", "-O2", "-o", str(library), str(_SOURCE), "-ldl")
    subprocess.run([compiler, *options], check=True)
    return True
