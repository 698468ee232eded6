"""Disputes, their steps, evidence and proposals, as the API returns them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, cast
from uuid import UUID

from django.utils import timezone

from casino.api.client.shapes import disputes as shapes
from casino.api.client.shapes import findings, rounds
from casino.api.disputes.lookup import visible_evidence
from casino.api.disputes.replay_comparison import finding_to_json
from casino.api.rounds.query_params import customer_of_key
from casino.api.rounds.representation import round_links, round_summaries
from casino.integrations.caller import Caller
from payouts.cases.models import CaseRun
from payouts.cases.status import stages_of
from payouts.disputes.models import (
    Dispute,
    DisputeEvidence,
    DisputeRemedy,
    DisputeStep,
    VerdictProposal,
)
from payouts.disputes.remedies import amount_of_case
from payouts.disputes.status import (
    CUSTOMER_VISIBLE_ACTIONS,
    DisputeStatus,
    State,
    dispute_status,
    dispute_statuses,
    steps_of,
)

ROOT: Final = "/api/v1/disputes"
_DECISIONS: Final = ("upheld", "partly_upheld", "rejected")


def listed_disputes(
    rows: Sequence[Dispute], caller: Caller, parts: frozenset[str]
) -> list[shapes.ListedDispute]:
    """Summaries of disputes with the parts; at most seven queries more for any number."""
    statuses, now = dispute_statuses(rows), timezone.now()
    cases = own_cases(rows) if "case" in parts else {}
    played = _played(rows, caller) if "round" in parts else {}
    return [
        shapes.ListedDispute(
            **vars(_summary(row, statuses[row.pk], caller, now)),
            case=cases.get(row.pk),
            played=played.get(row.round_id),
        )
        for row in rows
    ]


def dispute_details(dispute: Dispute, caller: Caller) -> shapes.DisputeDetails:
    """The details of a dispute that the key may read."""
    steps = steps_of(dispute)
    status = dispute_status(steps)
    is_waiting = status.state is State.WAITING
    return shapes.DisputeDetails(
        **vars(_summary(dispute, status, caller, timezone.now())),
        text=dispute.text,
        actor=_name(dispute.actor, caller),
        step=status.latest.sequence,
        question=status.latest.note if is_waiting else None,
        decision=_decision(steps, caller),
        remedy=_remedy(dispute),
        evidence_count=visible_evidence(dispute, caller).count(),
        # The stored document itself: reading and writing it again could only alter it.
        finding=cast("findings.DisputeFinding", finding_to_json(dispute, caller)),
    )


def step_details(step: DisputeStep, caller: Caller) -> shapes.DisputeStep:
    """A step; a customer reads only text addressed to the customer, and no names."""
    is_own = caller.key.customer is not None
    is_public = step.action in CUSTOMER_VISIBLE_ACTIONS
    return shapes.DisputeStep(
        sequence=step.sequence,
        action=step.action,
        at=step.at,
        text=(step.note or None) if is_public or not is_own else None,
        citations=_headings(step.citations),
        reference=step.reference or None,
        on_day=step.on_day,
        due_at=step.due_at,
        actor=_name(step.actor, caller),
    )


def evidence_details(evidence: DisputeEvidence, caller: Caller) -> shapes.Evidence:
    """A file of the dispute and its address."""
    digest = bytes(evidence.digest).hex()
    return shapes.Evidence(
        sha256=digest,
        name=evidence.name,
        content_type=evidence.content_type,
        bytes=evidence.size,
        added_at=evidence.added_at,
        shared=hasattr(evidence, "share"),
        actor=_name(evidence.actor, caller),
        links=shapes.SelfLink(self=f"{ROOT}/{evidence.dispute}/evidence/{digest}"),
    )


def proposal_details(proposal: VerdictProposal) -> shapes.DecisionProposal:
    """A proposed decision."""
    return shapes.DecisionProposal(
        id=proposal.pk,
        verdict=proposal.verdict,
        text=proposal.text,
        citations=_headings(proposal.citations),
        way=proposal.way or None,
        remedy_words=proposal.remedy_words,
        accepted_loss_cents=proposal.accepted_loss_cents or 0,
        step=proposal.sequence,
        at=proposal.at,
        actor=proposal.actor,
        links=shapes.SelfLink(self=f"{ROOT}/{proposal.dispute}/proposals/{proposal.pk}"),
    )


def _summary(
    dispute: Dispute, status: DisputeStatus, caller: Caller, now: datetime
) -> shapes.DisputeSummary:
    row, address = dispute.round, f"{ROOT}/{dispute}"
    return shapes.DisputeSummary(
        id=str(dispute),
        state=status.state.value,
        due_at=status.latest.due_at,
        overdue=status.is_overdue(now),
        round=shapes.DisputedRound(
            id=row.id,
            round=row.reference,
            table=row.table.code,
            rules=row.rules,
            game_code=row.game_code,
            session=row.session,
            opened_at=row.opened_at,
        ),
        customer=dispute.customer.pseudonym,
        bet_number=dispute.bet_number,
        opened_by=dispute.opened_by,
        reason=dispute.reason,
        claimed_cents=dispute.claimed_cents,
        language=dispute.language,
        opened_at=dispute.opened_at,
        owner=_name(status.owner, caller),
        links=shapes.DisputeLinks(
            self=address,
            steps=f"{address}/steps",
            evidence=f"{address}/evidence",
            dossiers=f"{address}/dossiers",
            round=round_links(row.id).self,
        ),
    )


def _headings(citations: Sequence[Mapping[str, str]]) -> tuple[shapes.CitedHeading, ...]:
    return tuple(shapes.CitedHeading(**citation) for citation in citations)


def _decision(steps: Sequence[DisputeStep], caller: Caller) -> shapes.DisputeDecision | None:
    """The latest decision, also if the dispute has returned to review since."""
    decisions = [step for step in steps if step.action in _DECISIONS]
    if not decisions:
        return None
    step = decisions[-1]
    return shapes.DisputeDecision(
        verdict=step.action,
        text=step.note,
        citations=_headings(step.citations),
        at=step.at,
        step=step.sequence,
        actor=_name(step.actor, caller),
    )


def own_cases(disputes: Sequence[Dispute]) -> dict[int, shapes.DisputeCase]:
    """By dispute the case for its customer, of the latest decision with one; in four queries."""
    own = DisputeRemedy.objects.filter(dispute__in=disputes, is_own=True).select_related("case")
    latest = {row.dispute_id: row for row in own.order_by("sequence")}
    cases = [row.case for row in latest.values()]
    stages, runs = stages_of(cases), CaseRun.objects.in_bulk([case.pk for case in cases])
    return {
        dispute_id: shapes.DisputeCase(
            case=str(row.case),
            kind=row.case.kind,
            stage=stages[row.case_id].value,
            step=row.sequence,
            executed_at=runs[row.case_id].finished_at if row.case_id in runs else None,
        )
        for dispute_id, row in latest.items()
    }


def _remedy(dispute: Dispute) -> shapes.DisputeRemedy | None:
    case = own_cases([dispute]).get(dispute.pk)
    if case is None:
        return None
    row = DisputeRemedy.objects.get(dispute=dispute, sequence=case.step, is_own=True)
    amount = amount_of_case(row.case, dispute.customer_id)
    return shapes.DisputeRemedy(
        **vars(case),
        amount_cents=None if amount is None else amount.cash_cents,
        chips_cents=None if amount is None else amount.chips_cents,
    )


def _played(disputes: Sequence[Dispute], caller: Caller) -> dict[UUID, rounds.RoundSummary]:
    """The rounds that the key may read; a customer's own key reads its own part of them."""
    customer = customer_of_key(caller)
    rows = {dispute.round_id: dispute.round for dispute in disputes}
    if customer is not None:
        own = customer.bets.filter(round_id__in=rows).values_list("round_id", flat=True)
        rows = {round_id: rows[round_id] for round_id in set(own)}
    return {summary.id: summary for summary in round_summaries(rows.values(), customer)}


def _name(name: str, caller: Caller) -> str | None:
    """The name of a person or a program; None for a customer's own key."""
    return None if caller.key.customer is not None else name or None
