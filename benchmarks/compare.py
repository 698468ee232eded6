"""`make bench COMPARE=REF`: what is slower or faster than at another commit, beyond noise.

Both are measured in turns, each by its own benchmarks, with the packages that are installed here.
A figure differs if all of its values on one side are worse than all of those on the other: without
a difference that happens to one figure of 126.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from casino.embedded.server_paths import CLONE

TURNS: Final = 5
_LATEST: Final = Path("benchmarks/latest.json")
_QUICK: Final = Path("var/quick.json")
_NOT_COPIED: Final = (".git", ".venv*", "var", ".*_cache", "__pycache__", _LATEST.name)
_OF_OTHERS: Final = ("peer", "copy", "naive", "hordak", "limit", "psql", "xlsxwriter")
"""Parts of the names of figures that measure something else than Sabot."""
_BETTER_IF_LESS: Final = ("_ms", "_us", "_mb", "_percent", "_per_bet", "seconds", "megabytes")
_BETTER_IF_MORE: Final = ("_per_s", "_per_cpu_s", "ratio", "ratio_to_peer", "ratio_copy")

Values = Mapping[str, Sequence[float]]
"""The values of each figure, one a turn."""


class Compared(NamedTuple):
    """A figure on both sides; ``gain`` is above one where it is better here."""

    name: str
    there: Sequence[float]
    here: Sequence[float]
    gain: float
    differs: bool

    @property
    def verdict(self) -> str:
        """In words; empty within the noise."""
        if not self.differs:
            return ""
        return "better" if self.gain > 1 else "WORSE"


def compare(ref: str, names: Sequence[str]) -> list[Compared]:
    """Measures these parts of the benchmark here and at the commit."""
    there: dict[str, list[float]] = {}
    here: dict[str, list[float]] = {}
    with _copy_of(ref) as other, _copy_of(None) as own:
        for turn in range(TURNS):
            sides = [(other, there), (own, here)]
            for folder, values in sides if turn % 2 else reversed(sides):
                for name, value in _measure(folder, names).items():
                    values.setdefault(name, []).append(value)
    return compare_values(there, here)


def compare_values(there: Values, here: Values) -> list[Compared]:
    """The figures that both sides have and that are better the more or the less they are."""
    return [
        _compared(name, there[name], here[name])
        for name in here
        if name in there and _direction(name)
    ]


def _compared(name: str, there: Sequence[float], here: Sequence[float]) -> Compared:
    differs = max(here) < min(there) or min(here) > max(there)
    gain = (median(here) / median(there)) ** _direction(name) if median(there) else 1.0
    return Compared(name, there, here, gain, differs)


def _direction(name: str) -> int:
    """1 for a figure that is better if it is more, -1 for one that is better if it is less."""
    *_, last = parts = name.split(".")
    if any(part.startswith(_OF_OTHERS) for part in parts):
        return 0
    if last.endswith(_BETTER_IF_LESS):
        return -1
    return 1 if last.endswith(_BETTER_IF_MORE) else 0


@contextmanager
def _copy_of(ref: str | None) -> Iterator[Path]:
    """The files of a commit, or those of this clone as they are, in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="sabot-compare-") as name:
        folder = Path(name) / "clone"
        if ref is None:
            shutil.copytree(CLONE, folder, ignore=shutil.ignore_patterns(*_NOT_COPIED))
        else:
            folder.mkdir()
            archive = ["git", "-C", str(CLONE), "archive", ref]
            packed = subprocess.run(archive, stdout=subprocess.PIPE, check=False)
            if packed.returncode:
                sys.exit(f"COMPARE: found {ref}; needed a commit of this clone")
            with tarfile.open(fileobj=BytesIO(packed.stdout)) as archived:
                archived.extractall(folder, filter="data")
            (folder / _LATEST).unlink(missing_ok=True)
        yield folder


def _measure(folder: Path, names: Sequence[str]) -> Mapping[str, float]:
    """The figures of one run there."""
    command = [sys.executable, "-m", "benchmarks", *names]
    environment = {**os.environ, "PYTHONPATH": ""}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    [written] = [folder / file for file in (_LATEST, _QUICK) if (folder / file).exists()]
    return {it["name"]: it["value"] for it in json.loads(written.read_text())}


def main() -> None:
    """Prints the comparison; exit status 1 if something is worse."""
    ref, *names = sys.argv[1:]
    rows = compare(ref, names)
    table = Table(title=f"Here and at {ref}: medians of {TURNS} turns")
    for column in ("figure", ref, "here", "times as good", "beyond noise"):
        table.add_column(column, justify="left" if column == "figure" else "right")
    for row in rows:
        sides = (f"{median(side):,.3g}" for side in (row.there, row.here))
        table.add_row(row.name, *sides, f"{row.gain:.2f}", row.verdict)
    Console(width=120).print(table)
    sys.exit(any(row.verdict == "WORSE" for row in rows))


if __name__ == "__main__":
    main()
