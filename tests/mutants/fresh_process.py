"""The tests in a new process that imports a changed module: for what runs at import.

Arguments: the module's path, a file with its changed source, a file for the failed test, the files
of the tests that run first, pytest's.
"""

import sys
from pathlib import Path

import pytest

from tests.mutants.replace_code import import_changed
from tests.mutants.run_items import KILLED, SURVIVED, FirstFailure, NearestFirst, OnlyFiles

_PASSED = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}


def main() -> int:
    """Whether no test fails; a module that cannot be imported fails all of them.

    Collecting all tests takes longer than the few that find most of the changes.
    """
    path, source, note, first, *arguments = sys.argv[1:]
    import_changed(path, Path(source).read_text())
    plugins = [FirstFailure(Path(note)), NearestFirst(path)]
    for further in ([OnlyFiles(first.split(":"))], []):
        if pytest.main(arguments, plugins=[*plugins, *further]) not in _PASSED:
            return KILLED
    return SURVIVED


if __name__ == "__main__":
    sys.exit(main())
