"""What each kind of fault does, and how it ends."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

import psycopg
from django.utils import timezone

from benchmarks.soak.certificate import expire_certificate, renew_certificate
from benchmarks.soak.installation import Installation
from benchmarks.soak.load.all_lanes import FEED_HOST, Load
from benchmarks.soak.people import register_expiring_key
from benchmarks.soak.receiver import ACCEPTS, DOWN, GONE, Receiver
from benchmarks.soak.schedule import CLOCK_IS_WRONG_BY, CLOCKS, Fault
from casino.api.client import Sabot


class World(NamedTuple):
    """What faults act on."""

    place: Installation
    load: Load
    receiver: Receiver
    webhook: str
    """Its id."""
    token: str


_PROMOTED_AFTER: Final = 20
"""Seconds without a primary, as with the ttl of `deploy/patroni`."""
_SEGMENTS: Final = 60
"""More than max_wal_size and wal_keep_size let there be, of 16 MB each."""
Act = Callable[[World, Fault], None]


class Action(NamedTuple):
    """The beginning of a fault and its end."""

    begin: Act
    end: Act = lambda _world, _fault: None


def impossible_kinds(place: Installation) -> list[str]:
    """The kinds that this machine cannot play."""
    disks = {"wal-full": place.primary.wal, "exports-full": place.exports}
    clocks = [kind.name for kind in CLOCKS if not place.clocks.can_step]
    return [*(name for name, disk in disks.items() if not disk.is_mounted), *clocks]


def _kill(name: str) -> Action:
    return Action(lambda world, fault: world.place.programs[_of_two(name, fault)].kill())


def _of_two(name: str, fault: Fault) -> str:
    return f"{name}-{fault.victim + 1}" if name in ("web", "worker") else name


def _kill_process(name: str) -> Action:
    def kill(world: World, fault: Fault) -> None:
        world.place.programs[_of_two(name, fault)].kill_child(int(fault.at))

    return Action(kill)


def _take_down_primary(world: World, _fault: Fault) -> None:
    program = world.place.primary.program
    program.stop()
    program.kill()


def _lose_primary(world: World, fault: Fault) -> None:
    """The primary is lost, and the replica promoted when Patroni would do it.

    Patroni has every commit wait for a replica that it may promote; here that begins now.
    """
    world.place.primary.wait_for_replica()
    _take_down_primary(world, fault)
    time.sleep(_PROMOTED_AFTER)
    world.place.promote_replica()


def _make_replica(world: World, _fault: Fault) -> None:
    """The server that was lost becomes the replica of the new primary."""
    world.place.replica.program.wait_for_end()
    world.place.replica.as_replica_of(world.place.primary)
    world.place.replica.program.start()
    world.place.replica.wait()


def _fill_wal(world: World, _fault: Fault) -> None:
    """Fills the disk, and uses up the segments of the log that are there already."""
    world.place.primary.wal.fill()
    url = world.place.primary.url()
    with suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as connection:
        for _ in range(_SEGMENTS):
            connection.execute("SELECT pg_logical_emit_message(false, 'soak', 'full')")
            connection.execute("SELECT pg_switch_wal()")


def _restart_broker(world: World, _fault: Fault) -> None:
    world.place.broker.kill()
    time.sleep(2)
    world.place.broker.start()


def _ask_replica(statement: str) -> Act:
    def ask(world: World, _fault: Fault) -> None:
        with psycopg.connect(world.place.replica.url(), autocommit=True) as connection:
            connection.execute(statement)

    return ask


def _move_log_key(world: World, _fault: Fault) -> None:
    key = world.place.log_key
    key.rename(key.with_suffix(".gone"))


def _bring_log_key(world: World, _fault: Fault) -> None:
    key = world.place.log_key
    key.with_suffix(".gone").rename(key)


def _answer(status: int) -> Act:
    def answer(world: World, _fault: Fault) -> None:
        world.receiver.status = status

    return answer


def _resume_webhook(world: World, _fault: Fault) -> None:
    world.receiver.status = ACCEPTS
    with Sabot(world.place.addresses[0], world.token) as sabot:
        for webhook in sabot.webhooks.list():
            if str(webhook.id) == world.webhook and webhook.status == "stopped":
                sabot.webhooks.resume(webhook.id)


def _sign(is_signed: bool) -> Act:  # noqa: FBT001  one argument
    def sign(world: World, _fault: Fault) -> None:
        world.load.files.delivers_unsigned = not is_signed

    return sign


def _step_clock(host: str, *, seconds: int) -> Action:
    def step_by(seconds: int) -> Act:
        return lambda world, fault: world.place.clocks.step(_of_two(host, fault), seconds=seconds)

    return Action(step_by(seconds), step_by(0))


def _step_studio(seconds: int) -> Act:
    def step(world: World, _fault: Fault) -> None:
        world.load.streams.studio.clock_seconds = seconds

    return step


ACTIONS: Final = {
    "web-killed": _kill("web"),
    "web-process-killed": _kill_process("web"),
    "worker-killed": _kill("worker"),
    "worker-process-killed": _kill_process("worker"),
    "uploads-killed": _kill("uploads"),
    "exporter-killed": _kill("exporter"),
    "lists-killed": _kill("lists"),
    "beat-killed": _kill("beat"),
    "metrics-killed": _kill("metrics"),
    "ingest-killed": Action(lambda world, _fault: world.load.files.kill()),
    "postmaster-killed": Action(lambda world, _fault: world.place.primary.program.kill()),
    "broker-killed": Action(_restart_broker),
    "primary-down": Action(
        _take_down_primary, lambda world, _fault: world.place.primary.program.start_again()
    ),
    "promotion": Action(_lose_primary, _make_replica),
    "wal-full": Action(_fill_wal, lambda world, _fault: world.place.primary.wal.empty()),
    "replica-stopped": Action(
        lambda world, _fault: world.place.replica.program.stop(),
        lambda world, _fault: world.place.replica.program.start_again(),
    ),
    "replica-paused": Action(
        _ask_replica("SELECT pg_wal_replay_pause()"),
        _ask_replica("SELECT pg_wal_replay_resume()"),
    ),
    "broker-cut": Action(
        lambda world, _fault: world.place.broker.line.cut(),
        lambda world, _fault: world.place.broker.line.mend(),
    ),
    "broker-silent": Action(
        lambda world, _fault: world.place.broker.line.freeze(),
        lambda world, _fault: world.place.broker.line.mend(),
    ),
    "log-key-gone": Action(_move_log_key, _bring_log_key),
    "webhook-down": Action(_answer(DOWN), _answer(ACCEPTS)),
    "webhook-gone": Action(_answer(GONE), _resume_webhook),
    "metrics-stopped": Action(
        lambda world, _fault: world.place.programs["metrics"].stop(),
        lambda world, _fault: world.place.programs["metrics"].start_again(),
    ),
    "exports-full": Action(
        lambda world, _fault: world.place.exports.fill(),
        lambda world, _fault: world.place.exports.empty(),
    ),
    "unsigned-table": Action(_sign(is_signed=False), _sign(is_signed=True)),
    "web-clock-ahead": _step_clock("web", seconds=CLOCK_IS_WRONG_BY),
    "web-clock-back": _step_clock("web", seconds=-CLOCK_IS_WRONG_BY),
    "worker-clock-ahead": _step_clock("worker", seconds=CLOCK_IS_WRONG_BY),
    "worker-clock-back": _step_clock("worker", seconds=-CLOCK_IS_WRONG_BY),
    "feed-clock-back": _step_clock(FEED_HOST, seconds=-CLOCK_IS_WRONG_BY),
    "studio-clock-ahead": Action(_step_studio(CLOCK_IS_WRONG_BY), _step_studio(0)),
    "expiring-key": Action(lambda _world, _fault: register_expiring_key(at=timezone.now())),
    "certificate-expired": Action(
        lambda world, _fault: expire_certificate(world.place.export_key, at=timezone.now()),
        lambda world, _fault: renew_certificate(world.place.export_key, at=timezone.now()),
    ),
}
"""For each kind of ``schedule.KINDS``."""
