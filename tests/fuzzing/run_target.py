"""One target under atheris, in a process of its own: ``python -m tests.fuzzing.run_target``.

Arguments: the target, then those of libFuzzer.
"""

import random
import sys

import atheris

from tests.fuzzing.target import load_target
from tests.fuzzing.targets import TARGETS


def main() -> None:
    """Runs until libFuzzer ends the process."""
    name, *arguments = sys.argv[1:]
    with atheris.instrument_imports(include=[*TARGETS[name]], enable_loader_override=False):
        target = load_target(name)
    mutate = target.mutate

    def custom_mutator(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if mutate is not None and rng.random() < 0.8:
            changed = mutate(data, rng)
            if changed != data and len(changed) <= most:
                return changed
        mutated: bytes = atheris.Mutate(data, most)
        return mutated

    options = {} if mutate is None else {"custom_mutator": custom_mutator}
    atheris.Setup([sys.argv[0], *arguments], target.check, **options)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
