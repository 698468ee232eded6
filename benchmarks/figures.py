"""Measured figures: printed as a table, stored in `latest.json`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.quick import QUICK
from casino.embedded.server_paths import CLONE

_LATEST: Final = Path(__file__).with_name("latest.json")
_OF_QUICK_RUN: Final = CLONE / "var/quick.json"


class Figure(NamedTuple):
    """One measured value under the name by which it is quoted."""

    name: str
    value: float
    unit: str

    @property
    def group(self) -> str:
        """The first word of its name."""
        return self.name.partition(".")[0]


def publish(figures: Sequence[Figure], *, is_whole: bool) -> Sequence[Figure]:
    """Prints the figures and keeps them; returns all that are kept.

    Each figure takes the place of the one with its name, new ones come last, and the others stay as
    they were measured before; after a whole run those only of parts that it leaves out. Those of a
    quick run are kept apart.
    """
    _print(figures)
    kept = list(figures) if QUICK else merge(_read(), figures)
    if is_whole:
        kept = without_stale(kept, figures)
    path = _OF_QUICK_RUN if QUICK else _LATEST
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps([figure._asdict() for figure in kept], indent=1) + "\n")
    return kept


def merge(kept: Sequence[Figure], measured: Sequence[Figure]) -> list[Figure]:
    """What was kept, each figure that was measured again in its place, new ones at the end."""
    by_name = {figure.name: figure for figure in kept}
    return list((by_name | {figure.name: figure for figure in measured}).values())


def without_stale(kept: Sequence[Figure], measured: Sequence[Figure]) -> list[Figure]:
    """What was kept, without figures that a part which was measured no longer has."""
    groups = {figure.group for figure in measured}
    return [figure for figure in kept if figure in measured or figure.group not in groups]


def _read() -> list[Figure]:
    if not _LATEST.exists():
        return []
    return [Figure(**figure) for figure in json.loads(_LATEST.read_text())]


def _print(figures: Sequence[Figure]) -> None:
    table = Table(title="Measured in this run")
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("unit")
    for figure in figures:
        table.add_row(figure.name, f"{figure.value:,.3f}".rstrip("0").rstrip("."), figure.unit)
    Console(width=120).print(table)
