"""``python -m tests.decisions``: explores the scopes, then each of them without each guard."""

import argparse
import os
import sys
import time

import django


def main() -> int:
    """Prints the figures; 1 if the theorem does not hold, or no scope needs a guard."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from tests.decisions.explore import explore
    from tests.decisions.guards import OF_SERVICES, Guard
    from tests.decisions.scopes import KILLED_IN, LARGER, SCOPES

    scopes = {**SCOPES, **LARGER}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scope", choices=[*scopes], help="this scope alone")
    parser.add_argument("--mutants", action="store_true", help="without each guard, too")
    options = parser.parse_args()
    failed = 0
    for name in [options.scope] if options.scope else SCOPES:
        begun = time.monotonic()
        result = explore(scopes[name])
        seconds = time.monotonic() - begun
        failed += result.counterexample is not None
        print(f"{name}: {result.states:,} states, {result.transitions:,} transitions, ", end="")
        print(f"{result.payments:,} payments, {seconds:.1f} s, {result.counterexample or 'holds'}")
    for guard in Guard if options.mutants else ():
        scope = KILLED_IN[guard]
        found = explore(scopes[scope], {guard}).counterexample
        failed += found is None
        layer = "services" if guard in OF_SERVICES else "worker"
        print(f"\n{guard.name} ({layer}, scope {scope}): ", end="")
        print("not needed" if found is None else f"{len(found.history)} moves: {found.broken}")
        print("".join(f"    {move}\n" for move in found.history) if found else "")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
