"""The number of repetitions of slow proofs.

All with `make test-slow` and `make test-all`. CI runs a share (`.ci/run`), because its machine is
slow; the first repetitions are the same, in the same order.
"""

import os
from typing import Final

_SHARE: Final = float(os.environ.get("SABOT_TEST_SHARE") or 1)


def repeated(full: int) -> int:
    """This many repetitions, or the configured share of them."""
    return max(1, round(full * _SHARE))
