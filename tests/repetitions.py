"""How often the slow proofs repeat what they do.

In full with `make test-slow` and `make test-all`. CI runs a share of it (`.ci/run`), because its
machine is slow; the first repetitions are the same ones, in the same order.
"""

import os
from typing import Final

_SHARE: Final = float(os.environ.get("SABOT_TEST_SHARE") or 1)


def repeated(full: int) -> int:
    """This many repetitions, or the share of them that this run was asked for."""
    return max(1, round(full * _SHARE))
