"""Where the processor time of settlement goes: samples of the stack of a process that settles.

Each two milliseconds of its processor time count for the stage of the innermost function that has
one. Compiled rules have no functions of Python's; what validates rounds calls them, and counts.
"""

import signal
from collections import Counter
from functools import cache
from types import FrameType
from typing import Final

REST: Final = "rest"
STAGES: Final = {
    "rounds.services.queue": "queue",
    "rounds.booking_day": "queue",
    "rounds.services.require_signed_rules": "queue",
    "rounds.signatures": "queue",
    "payouts.integrity": "queue",
    "rounds.rule_inputs": "read",
    "rounds.rules": "judge",
    "rounds.services.validate": "judge",
    "payouts.settlement.decision": "results",
    "payouts.settlement.bet_results": "results",
    "payouts.settlement.stakes": "results",
    "payouts.settlement.postings": "transfers",
    "payouts.ledger": "transfers",
    "payouts.settlement.daily_totals": "totals",
    "compliance.trail": "audit",
}
_SECONDS: Final = 0.002


def sample_stages(samples: Counter[str]) -> None:
    """Counts the samples of this process by stage, from now on."""

    def note(_number: int, frame: FrameType | None) -> None:
        while frame is not None:
            stage = _stage_of(str(frame.f_globals.get("__name__")))
            if stage is not None:
                samples[stage] += 1
                return
            frame = frame.f_back
        samples[REST] += 1

    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS, _SECONDS)


@cache
def _stage_of(module: str) -> str | None:
    """The stage of a module, or of the package that it is in."""
    while module:
        if module in STAGES:
            return STAGES[module]
        module = module.rpartition(".")[0]
    return None
