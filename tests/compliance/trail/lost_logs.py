"""Logs that have lost their tail, and the persons who declare it."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from casino.access.models.roles import ROLES_GIVEN_ON_HOST
from compliance.signatures.log_gaps import confirm_log_gap, propose_log_gap
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_losses import LogBehind, LogLoss, found_loss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.models import AuditRecord, LogGap
from compliance.trail.record import Entry, record_entries
from tests.compliance.trail.logs import KEY, NOW, append_signed, write
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import HOST, FirstKey

REASON: Final = "the disk failed; the copy of 23:58 was restored"
_GIVEN: Final = NOW - timedelta(days=300)


def give_role(actor: Actor, *roles: str, at: datetime = _GIVEN) -> None:
    """As the host gives roles."""
    given = Entry(ROLES_GIVEN_ON_HOST, f"user:{actor.user_id}", {"roles_after": list(roles)})
    record_entries([given], at=at, actor=HOST)


def signing_persons(proposer: Actor = GIULIA, confirmer: Actor = LORENZO) -> None:
    """The first is a compliance officer, the second an administrator; both have keys."""
    for actor, role in ((proposer, "compliance"), (confirmer, "administrator")):
        assert isinstance(actor.signer, FirstKey)
        actor.signer.approve()
        give_role(actor, role)


def lose(
    *sizes: int, after: Iterable[int] = (), witnessed: WitnessedHead | None = None
) -> WitnessedHead:
    """The last of these heads, which the database is restored to a state before."""
    for size in after:
        write(size)
        witnessed = append_signed(witnessed=witnessed)
    before = transaction.savepoint()
    for size in sizes:
        write(size)
        witnessed = append_signed(witnessed=witnessed)
    transaction.savepoint_rollback(before)
    assert witnessed is not None
    return witnessed


def invent_gap() -> None:
    """A row of a gap that nobody declared, where only its triggers matter."""
    record = AuditRecord.objects.earliest("id").pk
    LogGap.objects.create(
        sequence=9, after=8, peaks=b"", proposal_id=record, confirmation_id=record
    )


def find_loss(witnessed: WitnessedHead) -> LogLoss:
    """What the key's holder finds."""
    with suppress(LogBehind):
        append_to_log(KEY, now=NOW, witnessed=witnessed)
    loss = found_loss()
    assert loss is not None
    return loss


def propose(loss: LogLoss, *, by: Actor = GIULIA, reason: str = REASON) -> AuditRecord:
    """The person's signed proposal."""
    propose_log_gap(subject=loss.subject, reason=reason, at=NOW, actor=by)
    return AuditRecord.objects.filter(action="LOG_GAP_PROPOSED").latest("id")


def declare(loss: LogLoss, *, by: Actor = GIULIA, confirmed_by: Actor = LORENZO) -> None:
    """One person proposes it, another confirms it."""
    confirm_log_gap(proposal=propose(loss, by=by).id, at=NOW, actor=confirmed_by)


def continued(witnessed: WitnessedHead) -> WitnessedHead:
    """The log goes on from the witnessed head, as declared."""
    declare(find_loss(witnessed))
    return append_signed(witnessed=witnessed)
