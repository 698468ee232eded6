"""The page `docs/administrator/speed.md`, with charts, from the figures that are kept."""

import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.charts import Bars, Lines
from benchmarks.figures import Figure
from casino.embedded.server_paths import CLONE

_DOCS: Final = CLONE / "docs"
_PAGE: Final = "administrator/speed.md"
_TEXT: Final = Path(__file__).with_name("speed.md")
_NAMED: Final = re.compile(r"\{([a-z][\w.]*)\}")
_FEEDS: Final = {"small": "ten bets a round", "mix": "mix of the games", "big": "100,000 bets"}
_STAGES: Final = {
    "postgres": "PostgreSQL",
    "judge": "rules",
    "read": "facts from rows",
    "results": "results",
    "transfers": "transfers",
    "audit": "audit records",
    "totals": "totals",
    "queue": "queue",
    "rest": "the rest",
}
_PERCENTS: Final = ("p50", "p99")
_LOADS: Final = ("idle", "light", "load", "heavy")
_LEVELS: Final = {"1e5": "100,000", "1e6": "1,000,000", "1e7": "10,000,000"}
_WHOLE: Final = 100
_GIB: Final = 1 << 30


def write_speed_page(figures: Sequence[Figure], *, folder: Path = _DOCS) -> bool:
    """Writes the page and its charts, if all figures that they show have been measured."""
    values = {figure.name: figure.value for figure in figures}
    if not _shown_names() <= values.keys():
        return False
    pictures, page = folder / "images", folder / _PAGE
    for path in (pictures, page.parent):
        path.mkdir(parents=True, exist_ok=True)
    for name, chart in _charts(values):
        (pictures / f"speed-{name}.svg").write_text(chart.svg())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    machine = f"{os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}"
    text = _TEXT.read_text().replace("{machine}", machine)
    page.write_text(_NAMED.sub(lambda match: _shown(values[match[1]]), text))
    return True


def _shown_names() -> set[str]:
    """The figures of the page and of its charts."""
    return {
        *_NAMED.findall(_TEXT.read_text().replace("{machine}", "")),
        *(f"stages.{feed}.copy_us" for feed in _FEEDS),
        *(f"stages.{feed}.postgres_us" for feed in _FEEDS),
        *(f"growth.{level}.bets_per_s" for level in _LEVELS),
        *(f"latency.{load}.{percent}_ms" for load in _LOADS for percent in _PERCENTS),
    }


def _charts(values: Mapping[str, float]) -> Iterator[tuple[str, Bars | Lines]]:
    """The charts by the names of their files."""
    bars: dict[str, dict[str, float]] = {}
    for feed, words in _FEEDS.items():
        stages = {stage: f"stages.{feed}.{stage}_us" for stage in _STAGES}
        bars[words] = {_STAGES[it]: values[name] for it, name in stages.items() if name in values}
        bars[f"{words}, COPY"] = {"PostgreSQL": values[f"stages.{feed}.copy_us"]}
    yield "stages", Bars("Settlement by stage", "CPU µs of a bet", bars)
    yield (
        "growth",
        _steps(
            "Settlement over stored bets",
            "bets a second, one process",
            {"settled": [values[f"growth.{level}.bets_per_s"] for level in _LEVELS]},
            [*_LEVELS.values()],
        ),
    )
    loads = [round(values.get(f"latency.{load}.bets_per_s", 0)) for load in _LOADS]
    yield (
        "latency",
        _steps(
            "From ingest to settled, while others arrive",
            "ms",
            {
                percent: [values[f"latency.{load}.{percent}_ms"] for load in _LOADS]
                for percent in _PERCENTS
            },
            [f"{load:,} bets/s" for load in loads],
        ),
    )


def _steps(
    title: str, unit: str, lines: Mapping[str, Sequence[float]], names: Sequence[str]
) -> Lines:
    """Values at equal distances."""
    points = {name: [*enumerate(values)] for name, values in lines.items()}
    return Lines(title, unit, points, len(names) - 1, dict(enumerate(names)))


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:.3g}"
