"""Whether this host's files are those of the release, compared by ``serve_metrics`` itself.

Unlike the stored facts it is of each host, and needs no database.
"""

import logging
from collections.abc import Iterable
from threading import Thread
from time import sleep
from typing import Final

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from casino.operations.metrics.facts import PREFIX
from compliance.release.current_release import Outcome, ReleaseState, compare_release

_EVERY_SECONDS: Final = 6 * 3600
_log = logging.getLogger(__name__)


class ReleaseCollector(Collector):
    """The differences found last; no metric before the first comparison, or without a release."""

    def __init__(self) -> None:
        self._state = ReleaseState(Outcome.NOT_A_RELEASE)

    def start(self) -> None:
        """Compares now and every six hours, in a thread: a comparison takes half a minute."""
        Thread(target=self._go_on, daemon=True).start()

    def compare(self) -> None:
        """Compares everything on this host once."""
        self._state = compare_release(thoroughly=True)
        for difference in self._state.differences:
            _log.critical("%s", difference)

    def describe(self) -> Iterable[Metric]:
        """Nothing: registration compares nothing."""
        return []

    def collect(self) -> Iterable[Metric]:
        """The number of files and packages that differ."""
        if self._state.outcome is not Outcome.NOT_A_RELEASE:
            text = "Installed files and packages that are not those of the release"
            count = len(self._state.differences)
            yield GaugeMetricFamily(f"{PREFIX}release_differences", text, count)

    def _go_on(self) -> None:
        while True:
            self.compare()
            sleep(_EVERY_SECONDS)
