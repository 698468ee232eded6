"""``python -m tests.interleavings PAIR [--schedule REPLAY] [--most N]``."""

import argparse
import os
import sys

import pytest

_TEST = "tests/interleavings/test_scenes.py::TestScenes::test_schedules"


def main() -> int:
    """Explores a pair of services to its end, or replays one schedule and prints its statements."""
    parser = argparse.ArgumentParser(prog="python -m tests.interleavings")
    parser.add_argument("pair", help="such as settle+void")
    parser.add_argument("--schedule", default="")
    parser.add_argument("--most", default="0")
    options = parser.parse_args()
    os.environ |= {"SABOT_REPLAY": options.schedule, "SABOT_SCHEDULES": options.most}
    every = ["-n", "0", "-s", "-q", "-m", "slow or not slow", "-o", "timeout=0"]
    return pytest.main([*every, f"{_TEST}[{options.pair}]"])


if __name__ == "__main__":
    sys.exit(main())
