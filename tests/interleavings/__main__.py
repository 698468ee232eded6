"""``python -m tests.interleavings MEETING [--schedule REPLAY] [--most N]``, or ``--triples N``."""

import argparse
import os
import sys

import pytest

_TESTS = "tests/interleavings/test_scenes.py::TestScenes::"


def main() -> int:
    """Explores a meeting of services to its end, replays one schedule, or draws triples."""
    parser = argparse.ArgumentParser(prog="python -m tests.interleavings")
    parser.add_argument("meeting", nargs="?", help="such as settle+void")
    parser.add_argument("--schedule", default="", help="replay this one and print its statements")
    parser.add_argument("--most", default="0", help="the number of schedules")
    parser.add_argument("--triples", help="draw so many triples, and schedules of each")
    parser.add_argument("--seed", default="1", help="of the triples")
    options = parser.parse_args()
    if not options.meeting and not options.triples:
        parser.error("found neither; needed a meeting, such as settle+void, or --triples")
    test = f"test_schedules[{options.meeting}]" if options.meeting else "test_schedules_of_triples"
    os.environ |= {
        "SABOT_MEETING": options.meeting or "",
        "SABOT_REPLAY": options.schedule,
        "SABOT_SCHEDULES": options.most,
        "SABOT_TRIPLES": options.triples or "",
        "SABOT_SEED": options.seed,
    }
    every = ["-n", "0", "-s", "-q", "-m", "slow or not slow", "-o", "timeout=0"]
    return pytest.main([*every, f"{_TESTS}{test}"])


if __name__ == "__main__":
    sys.exit(main())
