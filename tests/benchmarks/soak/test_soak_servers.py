"""The servers of the soak: the primary is lost, the replica promoted, a new replica made."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from benchmarks.soak.servers import Postgres
from casino.embedded.process import wait_until

pytestmark = pytest.mark.slow
"""Two PostgreSQL servers are made for it."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the account PostgreSQL runs as can enter."""
    with tempfile.TemporaryDirectory(prefix="sabot-test-") as name:
        path = Path(name)
        path.chmod(0o755)
        (path / "log").mkdir()
        yield path


@pytest.fixture
def pair(folder: Path) -> Iterator[tuple[Postgres, Postgres]]:
    """A primary with a table, and its replica."""
    primary, replica = Postgres(folder, "database-1"), Postgres(folder, "database-2")
    primary.make()
    primary.program.start()
    primary.wait()
    with psycopg.connect(primary.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE acknowledged (number integer)")
    primary.close_to_strangers([])
    replica.as_replica_of(primary)
    replica.program.start()
    replica.wait()
    yield primary, replica
    for server in (primary, replica):
        server.program.stop()
        server.program.wait_for_end()
        server.wal.unmount()


def insert(url: str, number: int) -> None:
    """A commit that was answered."""
    with psycopg.connect(f"{url}?target_session_attrs=read-write") as connection:
        connection.execute("INSERT INTO acknowledged VALUES (%s)", [number])


def numbers(server: Postgres) -> list[int]:
    """What a server has."""
    with psycopg.connect(server.url()) as connection:
        rows = connection.execute("SELECT number FROM acknowledged ORDER BY number").fetchall()
    return [number for (number,) in rows]


def test_nothing_that_was_acknowledged_is_lost_by_a_promotion(
    pair: tuple[Postgres, Postgres],
) -> None:
    """The URL of both leads to the new primary, which the lost server then copies."""
    first, second = pair
    of_both = first.url(other=second)
    insert(of_both, 1)
    first.wait_for_replica()
    insert(of_both, 2)

    first.program.kill()
    first.program.wait_for_end()
    second.promote()
    insert(of_both, 3)
    first.as_replica_of(second)
    first.program.start()
    first.wait()

    assert numbers(second) == [1, 2, 3]
    assert wait_until(lambda: numbers(first) == [1, 2, 3], seconds=60)
    with (
        pytest.raises(psycopg.errors.ReadOnlySqlTransaction),
        psycopg.connect(first.url()) as replica,
    ):
        replica.execute("INSERT INTO acknowledged VALUES (4)")
