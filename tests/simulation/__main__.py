"""``python -m tests.simulation --seed 1 --days 1000``: days of a casino, each from a seed."""

import argparse
import os
import sys

import pytest

_TEST = "tests/simulation/test_simulated_days.py::TestDays::test_no_day_ends_wrong"


def main() -> int:
    """Plays the days; a day that ends wrong is shrunk to its shortest history and printed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--days", default="1000")
    options = parser.parse_args()
    os.environ |= {"SABOT_SEED": options.seed, "SABOT_DAYS": options.days}
    every = ["-n", "0", "-s", "-q", "-m", "slow or not slow", "-o", "timeout=0"]
    return pytest.main([*every, _TEST])


if __name__ == "__main__":
    sys.exit(main())
