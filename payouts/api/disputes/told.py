"""A dispute as programs are told of it: in short, and whole."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from payouts.api.caller import Caller
from payouts.api.disputes.found import finding_told
from payouts.api.rounds.told import links_of, moment
from payouts.disputes.standing import (
    SAID_TO_THE_CUSTOMER,
    Standing,
    State,
    standing_of,
    standings_of,
    steps_of,
)
from payouts.models import (
    CaseRun,
    Dispute,
    DisputeEvidence,
    DisputeRemedy,
    DisputeStep,
    VerdictProposal,
)
from payouts.services.dispute_remedies import stage_of_case

ROOT: Final = "/api/v1/disputes"
_DECISIONS: Final = ("upheld", "partly_upheld", "rejected")


def disputes_told(rows: Sequence[Dispute], caller: Caller) -> list[dict[str, Any]]:
    """Disputes in short, in one query however many they are."""
    standings, now = standings_of(rows), timezone.now()
    return [_in_short(row, standings[row.pk], caller, now) for row in rows]


def dispute_told(dispute: Dispute, caller: Caller) -> dict[str, Any]:
    """All about a dispute that the key may read."""
    steps = steps_of(dispute)
    standing = standing_of(steps)
    is_waiting = standing.state is State.WAITING
    return {
        **_in_short(dispute, standing, caller, timezone.now()),
        "text": dispute.text,
        "actor": _shown(dispute.actor, caller),
        "step": standing.latest.sequence,
        "question": standing.latest.note if is_waiting else None,
        "decision": _decision(steps, caller),
        "remedy": _remedy(dispute),
        "evidence_count": DisputeEvidence.objects.filter(dispute=dispute).count(),
        "finding": finding_told(dispute, caller),
    }


def step_told(step: DisputeStep, caller: Caller) -> dict[str, Any]:
    """A step; a customer is told what is said to him, and nobody's name."""
    is_own = caller.key.customer is not None
    is_said = step.action in SAID_TO_THE_CUSTOMER
    return {
        "sequence": step.sequence,
        "action": step.action,
        "at": moment(step.at),
        "text": (step.note or None) if is_said or not is_own else None,
        "citations": step.citations,
        "reference": step.reference or None,
        "on_day": None if step.on_day is None else step.on_day.isoformat(),
        "due_at": moment(step.due_at),
        "actor": _shown(step.actor, caller),
    }


def evidence_told(kept: DisputeEvidence, caller: Caller) -> dict[str, Any]:
    """A file that was handed in, and where it is."""
    digest = bytes(kept.digest).hex()
    return {
        "sha256": digest,
        "name": kept.name,
        "content_type": kept.content_type,
        "bytes": kept.size,
        "added_at": moment(kept.added_at),
        "actor": _shown(kept.actor, caller),
        "links": {"self": f"{ROOT}/{kept.dispute}/evidence/{digest}"},
    }


def proposal_told(kept: VerdictProposal) -> dict[str, Any]:
    """A decision that a program proposed."""
    return {
        "id": kept.pk,
        "verdict": kept.verdict,
        "text": kept.text,
        "citations": kept.citations,
        "way": kept.way or None,
        "remedy_words": kept.remedy_words,
        "step": kept.sequence,
        "at": moment(kept.at),
        "actor": kept.actor,
        "links": {"self": f"{ROOT}/{kept.dispute}/proposals/{kept.pk}"},
    }


def _in_short(
    dispute: Dispute, standing: Standing, caller: Caller, now: datetime
) -> dict[str, Any]:
    row, address = dispute.round, f"{ROOT}/{dispute}"
    return {
        "id": str(dispute),
        "state": standing.state.value,
        "due_at": moment(standing.latest.due_at),
        "overdue": standing.is_overdue(now),
        "round": {
            "id": str(row.id),
            "round": row.reference,
            "table": row.table.code,
            "rules": row.rules,
            "game_code": row.game_code,
            "session": row.session,
            "opened_at": moment(row.opened_at),
        },
        "customer": dispute.customer.pseudonym,
        "bet_number": dispute.bet_number,
        "opened_by": dispute.opened_by,
        "reason": dispute.reason,
        "claimed_cents": dispute.claimed_cents,
        "language": dispute.language,
        "opened_at": moment(dispute.opened_at),
        "owner": _shown(standing.owner, caller),
        "links": {
            "self": address,
            **{name: f"{address}/{name}" for name in ("steps", "evidence", "dossiers")},
            "round": links_of(row.id)["self"],
        },
    }


def _decision(steps: Sequence[DisputeStep], caller: Caller) -> dict[str, Any] | None:
    """The latest one, also where the dispute came back into review after it."""
    taken = [step for step in steps if step.action in _DECISIONS]
    if not taken:
        return None
    step = taken[-1]
    return {
        "verdict": step.action,
        "text": step.note,
        "citations": step.citations,
        "at": moment(step.at),
        "step": step.sequence,
        "actor": _shown(step.actor, caller),
    }


def _remedy(dispute: Dispute) -> dict[str, Any] | None:
    """The customer's own, of the latest decision that had one."""
    own = DisputeRemedy.objects.filter(dispute=dispute, is_own=True).select_related("case")
    latest = own.order_by("-sequence").first()
    if latest is None:
        return None
    run = CaseRun.objects.filter(pk=latest.case_id).first()
    return {
        "case": str(latest.case),
        "kind": latest.case.kind,
        "stage": stage_of_case(latest.case).value,
        "step": latest.sequence,
        "executed_at": None if run is None else moment(run.finished_at),
    }


def _shown(name: str, caller: Caller) -> str | None:
    """A person's or a program's name; nobody's for a customer's own key."""
    return None if caller.key.customer is not None else name or None
