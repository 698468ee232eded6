"""What earlier runs found, and whether it still holds."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from tests.mutants.mutant import Mutant

Verdict = Literal["killed", "killed by time", "survived"]


class Result(NamedTuple):
    """One mutant that ran."""

    path: str
    digest: str
    verdict: Verdict
    failed_in: str
    """The file of the test that failed first; empty if none did, or none could run."""
    tests: str
    """The digest of that file, or of all tests."""


class Results:
    """Lines of a file, added one by one: an interrupted run goes on.

    A kill holds while the module and the file of the failed test stay the same. That a mutant
    survives holds while the module and all tests do.
    """

    def __init__(self, file: Path, tests: Iterable[str]) -> None:
        self._file = file
        self._tests = tuple(tests)
        lines = file.read_text().splitlines() if file.exists() else []
        self._known = {
            (result.path, result.digest): result
            for result in (Result(*json.loads(line)) for line in lines)
            if result.tests == self._digest_of(result.failed_in)
        }

    def verdict_of(self, mutant: Mutant) -> Verdict | None:
        """None if it has to run."""
        result = self._known.get((mutant.place.path, mutant.digest))
        return result.verdict if result else None

    def add(self, mutant: Mutant, verdict: Verdict, failed_in: str) -> None:
        """Keeps what a mutant did."""
        path, digest = mutant.place.path, mutant.digest
        result = Result(path, digest, verdict, failed_in, self._digest_of(failed_in))
        self._known[path, digest] = result
        with self._file.open("a") as file:
            file.write(json.dumps(result) + "\n")

    def _digest_of(self, failed_in: str) -> str:
        return digest_of_files((failed_in,) if failed_in else self._tests)


@cache
def digest_of_files(paths: tuple[str, ...]) -> str:
    """Of Python files, and of those in folders."""
    digest = hashlib.sha256()
    for file in _files(paths):
        digest.update(f"{file}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _files(paths: tuple[str, ...]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(path.rglob("*.py"))
        elif path.exists():
            yield path
