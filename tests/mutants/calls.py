"""Which functions are called, and by which tests."""

import functools
import gc
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

_Cached = type(functools.lru_cache(lambda: None))


class Calls:
    """Notes calls of the functions of some folders."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self.folders = folders
        self.codes: set[CodeType] = set()

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """What ``sys.setprofile`` takes."""
        if event == "call" and frame.f_code.co_filename.startswith(self.folders):
            self.codes.add(frame.f_code)


class CallsOfTests:
    """A pytest plugin that notes the calls of each test, as if it ran alone.

    What functions have cached is forgotten before each test: it would hide a call.
    """

    def __init__(self, folders: tuple[str, ...]) -> None:
        self.folders = folders
        self.callers: dict[str, list[str]] = defaultdict(list)
        """The tests that called a function, by its :func:`name_of`."""
        self._cached = [each for each in gc.get_objects() if isinstance(each, _Cached)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Around each test and what it needs."""
        for cached in self._cached:
            cached.cache_clear()
        calls = Calls(self.folders)
        sys.setprofile(calls.note)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            for name in {name_of(code) for code in calls.codes}:
                self.callers[name].append(item.nodeid)


def name_of(code: CodeType) -> str:
    """The same for a function's code and the same code with a change."""
    return f"{Path(code.co_filename).absolute()}::{code.co_qualname}"
