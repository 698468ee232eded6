"""Addresses of disputes."""

from typing import Final

from django.urls import URLPattern, path

from payouts.api.disputes import acting, evidence, one, proposals
from payouts.api.disputes.disputes import DisputesView

_ONE: Final = "disputes/<str:dispute>"

urlpatterns: Final[list[URLPattern]] = [
    path("disputes", DisputesView.as_view(), name="api_disputes"),
    path(_ONE, one.DisputeView.as_view(), name="api_dispute"),
    path(f"{_ONE}/steps", one.DisputeStepsView.as_view(), name="api_dispute_steps"),
    path(f"{_ONE}/proofs/<uuid:record>", one.DisputeProofView.as_view(), name="api_dispute_proof"),
    path(f"{_ONE}/answers", acting.DisputeAnswersView.as_view(), name="api_dispute_answers"),
    path(
        f"{_ONE}/escalations",
        acting.DisputeEscalationsView.as_view(),
        name="api_dispute_escalations",
    ),
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
