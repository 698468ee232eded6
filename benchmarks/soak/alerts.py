"""The alert rules of `deploy/prometheus`, evaluated by Prometheus in shorter times."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode
from urllib.request import urlopen

import yaml

from benchmarks.soak.schedule import ALWAYS, LISTED_FOR, RECOVERS_WITHIN, TASKS, Fault
from casino.embedded.process import spawn, wait_until
from casino.embedded.server_paths import CLONE
from tests.ports import free_port

RULES: Final = CLONE / "deploy" / "prometheus" / "alerts.yml"
FACTOR: Final = 12
"""By how much the times of the rules are shortened: an hour becomes five minutes."""
_LONGEST_WAIT: Final = 3_600 / FACTOR + 30
"""Seconds until the alert of a fault that lasts fires: it waits an hour."""
_LEAST_BREAK: Final = 30
"""Seconds until the facts are seen again after a fault that hid them."""
STEP_SECONDS: Final = 2
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DURATION: Final = re.compile(r"(\d+)([smhd])")
_RANGE: Final = re.compile(r"\[(\d+[smhd])\]")
_AGE: Final = re.compile(r"(_age_seconds > )([\d *]+)")


class Fired(NamedTuple):
    """A time in which an alert fired; ``kind`` is the label of that name."""

    name: str
    kind: str
    began: float
    ended: float


def scaled_rules(text: str, factor: int) -> dict[str, Any]:
    """The rules with their times divided: how long they wait, look back, and which ages they allow.

    Counts, shares, latencies and days until an expiry stay.
    """
    rules: dict[str, Any] = yaml.safe_load(text)
    for group in rules["groups"]:
        for rule in group["rules"]:
            rule["expr"] = _RANGE.sub(lambda it: f"[{_shorter(it[1], factor)}]", rule["expr"])
            rule["expr"] = _AGE.sub(lambda it: f"{it[1]}({it[2].strip()}) / {factor}", rule["expr"])
            if "for" in rule:
                rule["for"] = _shorter(rule["for"], factor)
    return rules


def all_alerts() -> list[str]:
    """The names of all alerts that have a rule."""
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule["alert"] for group in groups for rule in group["rules"]]


def _shorter(duration: str, factor: int) -> str:
    [(number, unit)] = _DURATION.findall(duration)
    return f"{int(number) * _UNITS[unit] * 1000 // factor}ms"


class Prometheus:
    """A running Prometheus that scrapes an installation."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"

    def is_ready(self) -> bool:
        """Whether it answers."""
        try:
            with urlopen(f"{self._address}/-/ready", timeout=2) as answer:  # noqa: S310  our own
                return bool(answer.status == HTTPStatus.OK)
        except OSError:
            return False

    def fired(self, *, since: float, until: float) -> list[Fired]:
        """What fired between two times, in seconds since 1970."""
        query = {"query": 'ALERTS{alertstate="firing"}', "start": since, "end": until}
        question = urlencode({**query, "step": STEP_SECONDS})
        address = f"{self._address}/api/v1/query_range?{question}"
        with urlopen(address, timeout=60) as answer:  # noqa: S310  our own
            series = json.load(answer)["data"]["result"]
        return sorted(
            (fired for one in series for fired in _spans(one)), key=lambda fired: fired.began
        )


def _spans(series: Mapping[str, Any]) -> Iterator[Fired]:
    labels = series["metric"]
    times = [float(at) for at, _value in series["values"]]
    began = before = times[0]
    for at in [*times[1:], float("inf")]:
        if at - before > 1.5 * STEP_SECONDS:
            yield Fired(labels["alertname"], labels.get("kind", ""), began, before)
            began = at
        before = at


@contextmanager
def prometheus(folder: Path, *, metrics_port: int) -> Iterator[Prometheus]:
    """Prometheus with the shortened rules, until the block ends."""
    folder.mkdir()
    rules = folder / "alerts.yml"
    rules.write_text(yaml.safe_dump(scaled_rules(RULES.read_text(), FACTOR)))
    subprocess.run(
        ["promtool", "check", "rules", rules],  # noqa: S607  the one of the path
        check=True,
        capture_output=True,
    )
    every = f"{STEP_SECONDS}s"
    target = {"targets": [f"127.0.0.1:{metrics_port}"]}
    scrape = {"job_name": "sabot", "static_configs": [target]}
    configured = {
        "global": {
            "scrape_interval": every,
            "scrape_timeout": every,
            "evaluation_interval": every,
        },
        "rule_files": [str(rules)],
        "scrape_configs": [scrape],
    }
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump(configured))
    port = free_port()
    running = Prometheus(port)
    command = ["prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}"]
    command += [f"--web.listen-address=127.0.0.1:{port}", "--query.lookback-delta=6s"]
    process = spawn(command, log=folder / "prometheus.log", ends_with_us=signal.SIGKILL)
    try:
        if not wait_until(running.is_ready, seconds=60):
            raise TimeoutError("Prometheus is not ready within 60 seconds")
        yield running
    finally:
        process.kill()
        process.wait()


def unexpected(
    fired: Sequence[Fired], faults: Sequence[Fault], *, began: float, ended: float
) -> tuple[list[str], list[str]]:
    """Alerts that had to fire and did not, and those that fired without a reason; as sentences.

    An alert belongs to a fault if it began while that was played, or in the time to recover. The
    alert of a fault that lasts must fire only if it was watched for long enough without a break.
    """
    missing = [
        f"{name} did not fire for {fault.kind.name} at {fault.at:.0f} s"
        for fault in faults
        if not fault.kind.lasts or _longest_watch(fault, faults, ended - began) > _LONGEST_WAIT
        for name in fault.kind.must
        if not any(one.name == name and is_due_to(one, fault, began) for one in fired)
    ]
    groundless = [
        f"{one.name} {one.kind} fired at {one.began - began:.0f} s".replace("  ", " ")
        for one in fired
        if not _is_always(one) and not any(is_due_to(one, fault, began) for fault in faults)
    ]
    return missing, groundless


def _longest_watch(fault: Fault, faults: Sequence[Fault], seconds: float) -> float:
    """The longest time from a fault on in which its facts were seen without a break.

    Prometheus waits anew after a break.
    """
    hiding = [it for it in faults if it.kind.hides and it.at > fault.at]
    begins = [fault.at, *(it.until + _LEAST_BREAK for it in hiding)]
    ends = [*(it.at for it in hiding), seconds]
    return max(end - begin for begin, end in zip(begins, ends, strict=True))


def is_due_to(fired: Fired, fault: Fault, began: float) -> bool:
    """Whether an alert is one of a fault's, by its name and its time; ``began`` is the soak's."""
    stays = LISTED_FOR if fault.kind.may and fired.name == TASKS else 0
    last = began + fault.until + RECOVERS_WITHIN + stays
    is_in_time = fault.kind.lasts or fired.began <= last
    is_named = fired.name in (*fault.kind.must, *fault.kind.may) and not _is_always(fired)
    is_of_kind = is_named and fault.kind.label in ("", fired.kind)
    return is_of_kind and began + fault.at <= fired.began and is_in_time


def _is_always(fired: Fired) -> bool:
    return fired.name in ALWAYS and fired.kind in ("conflict", "document")
