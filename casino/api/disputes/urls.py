"""Addresses of disputes."""

from typing import Final

from django.urls import URLPattern, path

from casino.api.disputes import actions, detail, evidence, proposals
from casino.api.disputes.collection import DisputesView

_ONE: Final = "disputes/<str:dispute>"

urlpatterns: Final[list[URLPattern]] = [
    path("disputes", DisputesView.as_view(), name="api_disputes"),
    path(_ONE, detail.DisputeView.as_view(), name="api_dispute"),
    path(f"{_ONE}/steps", detail.DisputeStepsView.as_view(), name="api_dispute_steps"),
    path(
        f"{_ONE}/proofs/<uuid:record>", detail.DisputeProofView.as_view(), name="api_dispute_proof"
    ),
    path(f"{_ONE}/answers", actions.DisputeAnswersView.as_view(), name="api_dispute_answers"),
    path(
        f"{_ONE}/escalations",
        actions.DisputeEscalationsView.as_view(),
        name="api_dispute_escalations",
    ),
    path(f"{_ONE}/headings", proposals.HeadingsView.as_view(), name="api_dispute_headings"),
    path(f"{_ONE}/proposals", proposals.ProposalsView.as_view(), name="api_dispute_proposals"),
    path(
        f"{_ONE}/proposals/<int:proposal>",
        proposals.ProposalView.as_view(),
        name="api_dispute_proposal",
    ),
    path(f"{_ONE}/evidence", evidence.DisputeEvidenceView.as_view(), name="api_dispute_evidence"),
    path(
        f"{_ONE}/evidence/<str:sha256>",
        evidence.DisputeFileView.as_view(),
        name="api_dispute_file",
    ),
]
