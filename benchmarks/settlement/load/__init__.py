"""A background process that ingests a feed at a fixed rate."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.embedded.server_paths import CLONE


class Load:
    """The process that hands over the feed."""

    def __init__(self, feed: Path, *, bets_per_s: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.settlement.load", feed, str(bets_per_s)],
            cwd=CLONE,
            env=os.environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.bets_per_s = 0.0
        """How much it really was, once it has ended."""

    def wait_for_first_commit(self) -> None:
        """Returns when it has begun."""
        if self._process.stdout is None or not self._process.stdout.readline():
            raise AssertionError("the load ended before it began")

    def require_running(self) -> None:
        """AssertionError when the feed came to its end, or the process to a bad one."""
        if self._process.poll() is not None:
            raise AssertionError("the load ended before the measurement did")

    def end(self) -> None:
        """Stops it and asks what it did."""
        self._process.send_signal(signal.SIGTERM)
        output, _ = self._process.communicate()
        self.bets_per_s = float(output)


@contextmanager
def load_of(feed: Path, *, bets_per_s: int) -> Iterator[Load]:
    """A load on DATABASE_URL and the broker, from its first commit to the end of the block."""
    load = Load(feed, bets_per_s=bets_per_s)
    try:
        load.wait_for_first_commit()
        yield load
    finally:
        load.end()
