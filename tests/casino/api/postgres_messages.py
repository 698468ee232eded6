"""Counts messages between libpq and PostgreSQL, including those that Django does not see."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from psycopg.pq import Trace


class Sent:
    """The messages of a block."""

    round_trips = 0
    """How often an answer was waited for."""
    statements = 0
    """How many statements were carried out."""


@contextmanager
def sent_to_postgres() -> Iterator[Sent]:
    """Counts the messages of Django's connection."""
    connection.ensure_connection()
    wire, sent = connection.connection.pgconn, Sent()
    with tempfile.TemporaryFile("w+") as file:
        wire.trace(file.fileno())
        wire.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        try:
            yield sent
        finally:
            wire.untrace()
        file.seek(0)
        kinds = [line.split("\t")[2].strip() for line in file if line.startswith("F\t")]
    sent.round_trips = sum(kind in ("Query", "Sync") for kind in kinds)
    sent.statements = sum(kind in ("Query", "Execute") for kind in kinds)
