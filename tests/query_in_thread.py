"""Queries of the database while a browser is open.

Playwright runs an event loop in the test's thread, where Django refuses queries, or keeps a
connection that outlives the test's database. So another thread runs the query.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

_Answer = TypeVar("_Answer")


def query_in_thread(question: Callable[[], _Answer]) -> _Answer:
    """Runs the query in a thread whose connections are closed afterwards."""

    def ask() -> _Answer:
        try:
            return question()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(ask).result()
