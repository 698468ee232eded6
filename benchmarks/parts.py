"""The parts of the benchmark, in the order in which a whole run measures them."""

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.api import measure_ingest, measure_reading
from benchmarks.certify import measure_certify
from benchmarks.counting import measure_counting
from benchmarks.export import measure_export
from benchmarks.figures import Figure
from benchmarks.growth import measure_growth
from benchmarks.latency import measure_latency
from benchmarks.monitor import measure_monitor
from benchmarks.pages import measure_pages
from benchmarks.pipeline import measure_pipeline
from benchmarks.rules import measure_rules
from benchmarks.settlement import measure_settlement
from benchmarks.trail import measure_trail
from benchmarks.workplace import Workplace

PARTS: Final[Mapping[str, Callable[[Workplace], list[Figure]]]] = {
    "rules": measure_rules,
    "settle": measure_settlement,
    "pipeline": measure_pipeline,
    "latency": measure_latency,
    "growth": measure_growth,
    "trail": measure_trail,
    "export": measure_export,
    "certify": measure_certify,
}

APART: Final[Mapping[str, Callable[[Workplace], list[Figure]]]] = {
    "api_ingest": measure_ingest,
    "api_round_get": measure_reading,
    "pages": measure_pages,
    "monitor": measure_monitor,
    "counting": measure_counting,
}
"""Measured only where they are named: three take minutes to fill a database, one is no speed."""
