"""``make fuzz TARGET=feed FILE=…``: one input of a target, without the fuzzer."""

import sys
from pathlib import Path

from tests.fuzzing.target import load_target
from tests.fuzzing.targets import TARGETS


def main() -> int:
    """Ends with the traceback of a finding, or says that there is none."""
    if len(sys.argv) != 3 or sys.argv[1] not in TARGETS:
        print(f"found {sys.argv[1:]}; needed TARGET FILE, of {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    name, path = sys.argv[1], Path(sys.argv[2])
    load_target(name).check(path.read_bytes())
    print(f"no finding in {name}: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
