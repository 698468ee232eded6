"""Hosts are restarted one by one: nobody's call fails, and each round is settled once.

As docs/administrator/upgrade.md has it, with the files of ``deploy/``: HAProxy takes a host away
that drains, and a worker finishes its batch.
"""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone

from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES
from tests.books import assert_books_are_right
from tests.casino.api.api_client import issued
from tests.casino.workers.settled_feeds import wait_for_settlement
from tests.casino_in_play import open_tables
from tests.crash.final_checks import assert_rounds_are_stored_and_settled_once
from tests.processes import Worker
from tests.upgrade.clients import Clients
from tests.upgrade.web_hosts import Proxy, WebHost, proxy

_WEEKS_AGO = 14 * 86_400_000
_log = logging.getLogger(__name__)


@pytest.fixture
def web_hosts(fresh_casino: str, broker: str, folder: Path) -> Iterator[list[WebHost]]:
    """Two web hosts that answer."""
    open_tables(at=timezone.now())
    hosts = [WebHost(name, folder) for name in ("web1", "web2")]
    for host in hosts:
        host.start()
    yield hosts
    for host in hosts:
        host.stop()


@pytest.fixture
def behind(web_hosts: list[WebHost], folder: Path) -> Iterator[Proxy]:
    """The proxy before them."""
    with proxy(web_hosts, folder) as running:
        yield running


@pytest.fixture
def worker_hosts(web_hosts: list[WebHost], tmp_path: Path) -> Iterator[list[Worker]]:
    """Two worker hosts."""
    first = Worker(environment=os.environ, folder=tmp_path)
    hosts = [first, first.twin()]
    for host in hosts:
        host.start()
    yield hosts
    first.stop()


def feed() -> Iterator[bytes]:
    """Rounds of all games, without an end."""
    start = int(timezone.now().timestamp() * 1000) - _WEEKS_AGO
    order = Order(games=[*GAMES], rounds=10**9, seed="rolling", start=start)
    return (line.text.encode() for line in simulate(order))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_no_call_fails_and_each_round_is_settled_once(
    web_hosts: list[WebHost], behind: Proxy, worker_hosts: list[Worker]
) -> None:
    """While readers and a studio call all the time."""
    token = issued(calls_per_minute=100_000).token

    with Clients(behind.address, token, feed(), readers=2) as clients:
        for host in web_hosts:
            host.drain()
            states = behind.states_of(host)
            host.stop()
            assert states[-1:] == ["DOWN"]
            host.start()
            behind.wait_until_it_uses(host)
        for worker in worker_hosts:
            worker.stop()
            worker.start()
    wait_for_settlement()

    _log.info("%d lines delivered, %d reads", len(clients.delivered), clients.reads)
    assert clients.failures == []
    assert clients.delivered
    assert clients.reads
    assert_rounds_are_stored_and_settled_once(clients.delivered)
    assert_books_are_right(clients.delivered)
