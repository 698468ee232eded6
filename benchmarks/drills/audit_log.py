"""The signed log after a drill: it continues, or refuses to continue a log that lost its end."""

from pathlib import Path

from django.utils import timezone

from benchmarks.drills.progress import say, wait_for
from compliance.trail.log.append_to_log import CannotAppend, append_to_log, last_head
from compliance.trail.log.key_file import read_key, witnessed_head
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import PendingBatch


def check_log(key: Path) -> None:
    """Verifies the log if it continues; else that nobody signs one that has lost a signed head."""
    remembered, last = witnessed_head(key), last_head()
    if remembered is None or last is None:
        raise AssertionError("no head was signed: the drill was too short")
    if last.sequence < remembered[0].sequence:
        _check_refusal(key, lost=remembered[0].sequence - last.sequence)
        return
    wait_for(lambda: not PendingBatch.objects.exists(), what="every record is in the signed log")
    remembered = witnessed_head(key)
    faults: list[object] = []
    verified = verify_trail(report=faults.append, witnessed=remembered)
    if faults:
        raise AssertionError(f"the audit log is wrong: {faults}")
    say(f"the signed log continues: {verified.heads} heads, {verified.in_log} records, verified")


def _check_refusal(key: Path, *, lost: int) -> None:
    remembered = witnessed_head(key)
    try:
        append_to_log(
            read_key(key), now=timezone.now(), witnessed=remembered[0] if remembered else None
        )
    except CannotAppend as refusal:
        say(f"{lost} signed heads are lost, and the log is not continued: {refusal}")
        return
    raise AssertionError("a log without its end was signed")
