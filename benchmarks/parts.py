"""The parts of the benchmark, in the order in which a whole run measures them."""

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.compliance.archive import measure_archive
from benchmarks.compliance.audit_log import measure_trail
from benchmarks.compliance.certification import measure_certify
from benchmarks.compliance.daily_counts import measure_counting
from benchmarks.compliance.day_export import measure_export
from benchmarks.compliance.false_alarms import measure_monitor
from benchmarks.compliance.impact import measure_impact
from benchmarks.compliance.studio_signatures import measure_signatures, measure_stored_signatures
from benchmarks.figures import Figure
from benchmarks.readers import measure_readers
from benchmarks.rules import measure_rules
from benchmarks.settlement.capacity import measure_capacity
from benchmarks.settlement.growth import measure_growth
from benchmarks.settlement.latency import measure_latency
from benchmarks.settlement.pipeline import measure_pipeline
from benchmarks.settlement.recheck import measure_recheck
from benchmarks.settlement.settlement_rate import measure_settlement
from benchmarks.settlement.upgrade import measure_upgrade
from benchmarks.web.api import measure_ingest, measure_reading
from benchmarks.web.pages import measure_pages
from benchmarks.workspace import Workspace

PARTS: Final[Mapping[str, Callable[[Workspace], list[Figure]]]] = {
    "rules": measure_rules,
    "readers": measure_readers,
    "settle": measure_settlement,
    "pipeline": measure_pipeline,
    "latency": measure_latency,
    "growth": measure_growth,
    "trail": measure_trail,
    "signatures": measure_signatures,
    "export": measure_export,
    "certify": measure_certify,
}

NOT_QUICK: Final = {"growth", "signatures", "export", "certify"}
"""What a quick run leaves out, unless it is named."""

APART: Final[Mapping[str, Callable[[Workspace], list[Figure]]]] = {
    "api_ingest": measure_ingest,
    "api_round_get": measure_reading,
    "pages": measure_pages,
    "monitor": measure_monitor,
    "counting": measure_counting,
    "impact": measure_impact,
    "archive": measure_archive,
    "recheck": measure_recheck,
    "stored_signatures": measure_stored_signatures,
    "upgrade": measure_upgrade,
    "capacity": measure_capacity,
}
"""Measured only where they are named: most of them take minutes to fill a database."""
