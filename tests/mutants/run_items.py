"""The tests of a target until the first failure, those named like the changed module first."""

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
    return sorted(items, key=lambda item: -len(words & _words(item.nodeid.partition("::")[0])))


def run_items(items: list[pytest.Item]) -> None:
    """Runs them in this process, which has collected them."""
    for item, following in zip_longest(items, items[1:]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _words(path: str) -> set[str]:
    return set(re.split(r"[/_.]", path))
