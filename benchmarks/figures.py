"""Measured figures: printed as a table, written to `latest.json`."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

_LATEST: Final = Path(__file__).with_name("latest.json")


class Figure(NamedTuple):
    """One measured value under the name by which it is quoted."""

    name: str
    value: float
    unit: str


class Seconds(NamedTuple):
    """How long something took: on the clock, and of this process's processor time."""

    wall: float
    cpu: float


def time_once(action: Callable[[], object]) -> Seconds:
    """Runs the action once."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def publish(figures: list[Figure]) -> None:
    """Prints the figures and keeps them."""
    table = Table(title="Measured in this run")
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("unit")
    for figure in figures:
        table.add_row(figure.name, f"{figure.value:,.3f}".rstrip("0").rstrip("."), figure.unit)
    Console(width=100).print(table)
    kept = [figure._asdict() for figure in figures]
    _LATEST.write_text(json.dumps(kept, indent=1) + "\n")
