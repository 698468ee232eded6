"""The tests of a target until the first failure, those nearest to the changed function first."""

import os
import re
from itertools import zip_longest
from pathlib import Path

import pytest

SURVIVED = 0
KILLED = 1


class FirstFailure:
    """A pytest plugin that ends the process, and leaves the failed test's file in a file."""

    def __init__(self, note: Path) -> None:
        self.note = note

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Anything that fails: the test, or what it needs."""
        if report.failed:
            self.note.write_text(report.nodeid.partition("::")[0])
            os._exit(KILLED)


class OnlyFiles:
    """A pytest plugin that leaves out all other files of tests."""

    def __init__(self, files: list[str]) -> None:
        self.files = {Path(file).absolute() for file in files}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """None for folders, which are searched."""
        return None if collection_path.is_dir() else collection_path not in self.files


class NearestFirst:
    """A pytest plugin that orders the tests for one module."""

    def __init__(self, path: str) -> None:
        self.path = path

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """After all were found."""
        items[:] = nearest_first(self.path, items)


def nearest_first(path: str, items: list[pytest.Item]) -> list[pytest.Item]:
    """The files that share most words with the module's path come first."""
    words = _words(path)
    return sorted(items, key=lambda item: -len(words & _words(file_of(item))))


def file_of(item: pytest.Item) -> str:
    """The path of the test's file."""
    return item.nodeid.partition("::")[0]


def run_items(items: list[pytest.Item]) -> None:
    """Runs them in this process, which has collected them."""
    for item, following in zip_longest(items, items[1:]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _words(path: str) -> set[str]:
    return set(re.split(r"[/_.]", path))
