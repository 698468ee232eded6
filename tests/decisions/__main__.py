"""``python -m tests.decisions``: explores the scopes, then one without each guard."""

import argparse
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

from tests.decisions.explore import explore  # noqa: E402  roles are models
from tests.decisions.guards import Guard  # noqa: E402  after Django is set up
from tests.decisions.scopes import KILLED_IN, LARGER, SCOPES  # noqa: E402  the same

_ALL = {**SCOPES, **LARGER}


def main() -> int:
    """Writes the figures; 1 if the theorem does not hold, or a guard is not needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scope", choices=[*_ALL], help="this scope alone")
    parser.add_argument("--mutants", action="store_true", help="each guard switched off, instead")
    options = parser.parse_args()
    if options.mutants:
        return int(not all([_explore_without(guard) for guard in Guard]))  # noqa: C419  all run
    names = [options.scope] if options.scope else [*SCOPES]
    return int(not all([_explore(name) for name in names]))  # noqa: C419  all run


def _explore(name: str) -> bool:
    begun = time.monotonic()
    result = explore(_ALL[name])
    seconds = time.monotonic() - begun
    figures = f"{result.states:,} states, {result.transitions:,} transitions"
    line = f"{name}: {figures}, {result.payments:,} payments, {seconds:.1f} s"
    sys.stdout.write(f"{line}, {result.counterexample or 'holds'}\n")
    return result.counterexample is None


def _explore_without(guard: Guard) -> bool:
    scope = KILLED_IN[guard]
    counterexample = explore(_ALL[scope], {guard}).counterexample
    if counterexample is None:
        sys.stdout.write(f"{guard.name} ({scope}): not needed\n")
        return False
    moves = "".join(f"    {move}\n" for move in counterexample.history)
    head = f"{guard.name} ({scope}): {len(counterexample.history)} moves"
    sys.stdout.write(f"{head}, {counterexample.broken}\n{moves}")
    return True


if __name__ == "__main__":
    sys.exit(main())
