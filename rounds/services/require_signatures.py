"""The setting of a table whether it takes unsigned rounds.

Requiring signatures makes a table safer, and one person may do it. Allowing unsigned rounds again
takes two: one proposes, another approves. Each signs their step.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.signatures.sign_decision import create_signed_step
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.steps import StaleState, require_person
from rounds.field_errors import InvalidField
from rounds.models import SignatureRequirement
from rounds.services.intake import next_arrivals
from rounds.services.studio_keys import SecondPersonRequired
from rounds.services.table_fields import lock_table
from rounds.signatures.requirements import latest_requirement, requires_signature_now

_Action = SignatureRequirement.Action
_AFTER: Final = {
    _Action.REQUIRED: (None, _Action.ALLOWED, _Action.PROPOSED),
    _Action.PROPOSED: (None, _Action.REQUIRED),
    _Action.ALLOWED: (_Action.PROPOSED,),
}


def require_signatures(
    *, table_id: int, note: str, seen: int, at: datetime, actor: Actor
) -> SignatureRequirement:
    """Holds unsigned rounds that arrive from now on; also rejects a proposal to allow them.

    ``seen`` is the sequence of the latest step that the actor saw, 0 for none. Raises InvalidField
    without a reason, StaleState, PersonRequired, or as ``record_decision``.
    """
    return _add_step(_Action.REQUIRED, table_id, note=note, seen=seen, at=at, actor=actor)


def propose_unsigned_rounds(
    *, table_id: int, note: str, seen: int, at: datetime, actor: Actor
) -> SignatureRequirement:
    """Proposes to allow unsigned rounds again; another person approves. Raises the same."""
    return _add_step(_Action.PROPOSED, table_id, note=note, seen=seen, at=at, actor=actor)


def allow_unsigned_rounds(
    *, table_id: int, note: str, seen: int, at: datetime, actor: Actor
) -> SignatureRequirement:
    """Approves what another person proposed. Raises the same, and SecondPersonRequired."""
    return _add_step(_Action.ALLOWED, table_id, note=note, seen=seen, at=at, actor=actor)


def _add_step(
    action: SignatureRequirement.Action,
    table_id: int,
    *,
    note: str,
    seen: int,
    at: datetime,
    actor: Actor,
) -> SignatureRequirement:
    require_person(actor)
    if not note.strip():
        raise InvalidField("note", note, _("a reason"))
    with transaction.atomic():
        table = lock_table(table_id)
        latest = latest_requirement(table_id)
        sequence, last = (0, None) if latest is None else (latest.sequence, latest.action)
        if sequence != seen or last not in _AFTER[action] or _is_needless(action, table_id):
            raise StaleState(latest)
        if action == _Action.ALLOWED and latest is not None:
            _require_another(latest, actor)
        [arrival] = next_arrivals(1)  # the lock orders it between the rounds of the table
        return create_signed_step(
            SignatureRequirement,
            table=table,
            sequence=sequence + 1,
            action=action,
            note=note.strip(),
            since_arrival=arrival,
            at=at,
            actor=actor,
        )


def _is_needless(action: SignatureRequirement.Action, table_id: int) -> bool:
    """Whether somebody proposes to allow what is allowed."""
    return action == _Action.PROPOSED and not requires_signature_now(table_id)


def _require_another(proposal: SignatureRequirement, actor: Actor) -> None:
    if is_same_person(proposal.actor, proposal.actor_user_id, actor):
        raise SecondPersonRequired(
            f"actor: found {actor.name}; needed another person than {proposal.actor}"
        )
