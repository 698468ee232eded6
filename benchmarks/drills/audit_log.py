"""The signed log after a drill: two persons declare what it has lost, and it goes on."""

from pathlib import Path

from django.utils import timezone

from benchmarks.drills.progress import say, wait_for
from casino.devserver.demo import demo_person
from compliance.signatures.log_gaps import confirm_log_gap, log_gap_proposals, propose_log_gap
from compliance.trail.log.key_file import witnessed_head
from compliance.trail.log.log_losses import LogLoss, found_loss
from compliance.trail.log.stored_heads import last_head
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import PendingBatch


def check_log(key: Path) -> None:
    """Verifies the log. If it has lost signed heads, two persons declare that before."""
    remembered, last = witnessed_head(key), last_head()
    if remembered is None or last is None:
        raise AssertionError("no head was signed: the drill was too short")
    if last.sequence < remembered.head.sequence:
        wait_for(found_loss, what="a worker finds the loss of signed heads")
        _declare(found_loss())
    wait_for(lambda: not PendingBatch.objects.exists(), what="every record is in the signed log")
    faults: list[object] = []
    verified = verify_trail(report=faults.append, witnessed=witnessed_head(key))
    if faults:
        raise AssertionError(f"the audit log is wrong: {faults}")
    say(f"the signed log is verified: {verified.heads} heads, {verified.in_log} records")
    for note in verified.notes:
        say(f"the log says: {note}")


def _declare(loss: LogLoss | None) -> None:
    if loss is None:
        raise AssertionError("the loss was found, and is gone")
    say(f"{loss.heads} signed heads are lost, and no worker continues the log: two persons sign")
    officer, administrator = demo_person("compliance"), demo_person("administrator")
    propose_log_gap(
        subject=loss.subject,
        reason="drill: the server was lost and a backup restored",
        at=timezone.now(),
        actor=officer,
    )
    [proposal] = log_gap_proposals(loss)
    confirm_log_gap(proposal=proposal.id, at=timezone.now(), actor=administrator)
