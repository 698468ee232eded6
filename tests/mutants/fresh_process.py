"""The tests in a new process that imports a changed module: for what runs at import.

Arguments: the module's path, a file with its changed source, a file for the failed test, pytest's.
"""

import sys
from pathlib import Path

import pytest

from tests.mutants.replace_code import import_changed
from tests.mutants.run_items import KILLED, SURVIVED, FirstFailure, NearestFirst


def main() -> int:
    """Whether no test fails; a module that cannot be imported fails all of them."""
    path, source, note, *arguments = sys.argv[1:]
    import_changed(path, Path(source).read_text())
    plugins = [FirstFailure(Path(note)), NearestFirst(path)]
    passed = pytest.main(arguments, plugins=plugins) == pytest.ExitCode.OK
    return SURVIVED if passed else KILLED


if __name__ == "__main__":
    sys.exit(main())
