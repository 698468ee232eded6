"""What a target declares: a check of any bytes, and the bytes to begin with."""

import random
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
GOLDEN: Final = ROOT / "tests" / "golden"
KEPT: Final = Path(__file__).with_name("corpus")
"""Inputs in the repository, a folder a target: minimised seeds, and each crash that was found."""

Mutate = Callable[[bytes, random.Random], bytes]


class Target(NamedTuple):
    """A reader of strangers' bytes.

    ``check`` raises for a finding and returns for everything else, a declared refusal included.
    ``seeds`` are the inputs to begin with, beside those in the repository. ``mutate`` changes an
    input in the terms of its format; without it only bytes are changed.
    """

    check: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    mutate: Mutate | None = None
    longest: int = 4096
    """Bytes of an input."""


def load_target(name: str) -> Target:
    """The target of this name."""
    target: Target = import_module(f"tests.fuzzing.targets.{name}").TARGET
    return target


def kept_inputs(name: str) -> list[Path]:
    """The target's inputs in the repository."""
    return sorted(path for path in (KEPT / name).glob("*") if path.is_file())


def golden_lines(*games: str) -> Iterator[bytes]:
    """The lines of the public cases; of all games without names."""
    for path in sorted(GOLDEN.glob("*.ndjson")):
        game = path.name.removesuffix(".ndjson")
        if game in games or not (games or "." in game or game == "api-answers"):
            yield from path.read_bytes().splitlines()
