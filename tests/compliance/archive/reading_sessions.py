"""Sessions that keep a transaction open, for tests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg


@contextmanager
def reading(statement: str) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """Another session, within a transaction that began with this statement."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as other:
        other.execute(statement)
        yield other
