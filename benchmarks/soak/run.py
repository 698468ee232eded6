"""One soak from its first process to its report."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from benchmarks.soak.alerts import STEP_SECONDS, prometheus
from benchmarks.soak.checks import Outcome, check
from benchmarks.soak.drain import drain
from benchmarks.soak.faults import World, impossible_kinds
from benchmarks.soak.installation import Installation
from benchmarks.soak.load.all_lanes import Load
from benchmarks.soak.load.calls import Notes, Setting
from benchmarks.soak.people import make_all
from benchmarks.soak.play import play
from benchmarks.soak.receiver import Receiver
from benchmarks.soak.report import publish
from benchmarks.soak.samples import Sampler
from benchmarks.soak.schedule import deal_faults
from casino.api.client import Sabot

_SEEN_WITHIN: Final = 4 * STEP_SECONDS
"""Seconds after which Prometheus has read every fact again."""


def run(
    place: Installation,
    running: ExitStack,
    *,
    seed: int,
    seconds: float,
    only: Sequence[str],
    report: Path | None,
) -> int:
    """Plays a soak and publishes its report; 1 if something did not hold."""
    print("starting the installation", flush=True)
    place.start_servers()
    people = make_all(place)
    place.start_programs()
    receiver = Receiver()
    running.callback(receiver.close)
    with Sabot(place.addresses[0], people.token) as sabot:
        webhook = str(sabot.webhooks.add(receiver.address, description="soak").id)
    watching = running.enter_context(
        prometheus(place.folder / "prometheus", metrics_port=place.metrics_port)
    )
    sampler = Sampler(place)
    sampler.start()
    load = Load(place, people, Setting(Notes(), place.addresses, people.token, seed))
    impossible = impossible_kinds(place)
    faults = deal_faults(seed=seed, seconds=seconds, without=impossible, only=only)
    world = World(place, load, receiver, webhook, people.token)
    print(f"playing {len(faults)} faults in {seconds:.0f} seconds", flush=True)
    played = play(world, faults, sampler, seconds=seconds)
    print("draining", flush=True)
    left = drain(world)
    time.sleep(_SEEN_WITHIN)
    sampler.end()
    fired = watching.fired(since=played.began, until=played.ended)
    still_firing = watching.fired(since=time.time() - STEP_SECONDS, until=time.time())
    outcome = Outcome(place, load, sampler, played, fired, still_firing, receiver, impossible, seed)
    reasons = [*left, *check(outcome)]
    publish(outcome, reasons, folder=report)
    for reason in reasons:
        print(f"FAILED: {reason}", flush=True)
    return int(bool(reasons))
