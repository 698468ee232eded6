"""What programs propose about a dispute, beside the form of whoever decides."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.http import QueryDict
from django.utils.functional import Promise

from payouts.disputes.remedies import Way
from payouts.models import Dispute, VerdictProposal

_MOST_SHOWN: Final = 5


class ProposalShown(NamedTuple):
    """A proposal with how it would be made good in words, and its headings as the form has them."""

    row: VerdictProposal
    way: str | Promise
    cited: frozenset[tuple[str, str]]


def proposals_about(dispute: Dispute) -> list[ProposalShown]:
    """The latest ones first."""
    rows = VerdictProposal.objects.filter(dispute=dispute).order_by("-pk")[:_MOST_SHOWN]
    return [
        ProposalShown(
            row,
            Way(row.way).label if row.way else "",
            frozenset((one["sheet"], one["heading"]) for one in row.citations),
        )
        for row in rows
    ]


def words_taken_over(proposals: Sequence[ProposalShown], said: QueryDict) -> ProposalShown | None:
    """The proposal whose words the person took over; None for none."""
    return next((one for one in proposals if str(one.row.pk) == said.get("proposal")), None)
