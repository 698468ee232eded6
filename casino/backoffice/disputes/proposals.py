"""Automated proposals about a dispute."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.http import QueryDict
from django.utils.functional import Promise

from payouts.disputes.models import Dispute, VerdictProposal
from payouts.disputes.remedies import Way

_MOST_SHOWN: Final = 5


class ProposalSummary(NamedTuple):
    """A proposal with its remedy as text and its citations as form values."""

    row: VerdictProposal
    way: str | Promise
    cited: frozenset[tuple[str, str]]


def proposals_about(dispute: Dispute) -> list[ProposalSummary]:
    """The proposals, latest first."""
    rows = VerdictProposal.objects.filter(dispute=dispute).order_by("-pk")[:_MOST_SHOWN]
    return [
        ProposalSummary(
            row,
            Way(row.way).label if row.way else "",
            frozenset((citation["sheet"], citation["heading"]) for citation in row.citations),
        )
        for row in rows
    ]


def copied_proposal(
    proposals: Sequence[ProposalSummary], query: QueryDict
) -> ProposalSummary | None:
    """The proposal whose text was copied into the form; None without one."""
    return next(
        (proposal for proposal in proposals if str(proposal.row.pk) == query.get("proposal")), None
    )
