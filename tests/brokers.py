"""The brokers of tests: the run's own Valkey, and a RabbitMQ if one is configured.

SABOT_TEST_AMQP_URL names it. Without it the tests on RabbitMQ are not collected; `.ci/run` sets it.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

from kombu import Connection, Exchange, Queue
from redis import Redis

from casino.embedded.addresses import valkey_socket
from casino.embedded.server_paths import ServerPaths
from casino.workers.queues import EXPORTER, FEED, WEB, queue_of
from tests.lines import Line
from tests.servers import VALKEY, start_test_valkey

RABBITMQ_URL: Final = os.environ.get("SABOT_TEST_AMQP_URL", "")

_SCHEME: Final = "redis+socket://"


@contextmanager
def _valkey(worker_id: str) -> Iterator[tuple[str, str]]:
    """A database of the run's Valkey for each xdist worker, emptied."""
    start_test_valkey()
    number = int(worker_id.removeprefix("gw")) + 1 if worker_id != "master" else 0
    path = valkey_socket(ServerPaths(VALKEY))
    with Redis(unix_socket_path=str(path), db=number) as client:
        client.flushdb()
    yield f"{_SCHEME}{path}?virtual_host={number}", "sabot"


@contextmanager
def _rabbitmq(_worker_id: str) -> Iterator[tuple[str, str]]:
    """Queues of this test alone, removed at the end."""
    name = f"sabot-test-{uuid4().hex}"
    names = (name, *(queue_of(role, default=name) for role in (FEED, EXPORTER, WEB)))
    try:
        yield RABBITMQ_URL, name
    finally:
        with Connection(RABBITMQ_URL) as connection:
            for each in names:
                Queue(each, channel=connection.default_channel).delete()
                Exchange(each, channel=connection.default_channel).delete()


BROKERS: Final[Mapping[str, Callable[[str], AbstractContextManager[tuple[str, str]]]]] = {
    "valkey": _valkey,
    **({"rabbitmq": _rabbitmq} if RABBITMQ_URL else {}),
}
"""For each kind what gives a URL and the name of a queue, given the name of the xdist worker."""


@contextmanager
def line_to(broker: str) -> Iterator[tuple[Line, str]]:
    """A connection to a broker that can be cut, and the broker's URL on it."""
    if broker.startswith(_SCHEME):
        path, _, query = broker.removeprefix(_SCHEME).partition("?")
        line = Line(lambda: _connect_to_socket(path))
        url = f"redis://127.0.0.1:{line.port}/{query.removeprefix('virtual_host=')}"
    else:
        parts = urlsplit(broker)
        line = Line(lambda: socket.create_connection((parts.hostname, parts.port or 5672)))
        login, _, _ = parts.netloc.rpartition("@")
        url = parts._replace(netloc=f"{login}@127.0.0.1:{line.port}").geturl()
    try:
        yield line, url
    finally:
        line.close()


def _connect_to_socket(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.connect(path)
    return listener
