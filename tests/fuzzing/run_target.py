"""One target under atheris, in a process of its own: ``python -m tests.fuzzing.run_target``.

Arguments: the target, the folder of its inputs, then arguments of libFuzzer.
"""

import hashlib
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import atheris

from tests.fuzzing.target import Mutate, Target, kept_inputs, load_target
from tests.fuzzing.targets import TARGETS

_OWN_MUTATIONS: Final = 0.8
"""The share of changes in the terms of the format; the others are the fuzzer's, of bytes."""


def main() -> None:
    """Runs until libFuzzer ends the process."""
    name, folder, *arguments = sys.argv[1:]
    with atheris.instrument_imports(include=[*TARGETS[name]], enable_loader_override=False):
        target = load_target(name)
    write_seeds(name, target, Path(folder))
    options: dict[str, Any] = {}
    if target.mutate is not None:
        options["custom_mutator"] = mutator(target.mutate)
    given = [folder, f"-max_len={target.longest}", *arguments]
    atheris.Setup([sys.argv[0], *given], target.check, **options)
    atheris.Fuzz()


def write_seeds(name: str, target: Target, folder: Path) -> None:
    """Adds the inputs to begin with to those that earlier runs kept."""
    for content in [*target.seeds(), *(path.read_bytes() for path in kept_inputs(name))]:
        path = folder / hashlib.sha1(content, usedforsecurity=False).hexdigest()
        path.write_bytes(content)


def mutator(mutate: Mutate) -> Callable[[bytes, int, int], bytes]:
    """The target's own changes, and between them the fuzzer's."""

    def changed(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < _OWN_MUTATIONS:
            new = mutate(data, rng)
            if new != data and len(new) <= most:
                return new
        by_fuzzer: bytes = atheris.Mutate(data, most)
        return by_fuzzer

    return changed


if __name__ == "__main__":
    main()
