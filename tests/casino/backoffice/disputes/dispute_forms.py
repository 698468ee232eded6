"""Forms of the page of a dispute, for tests."""

from typing import Any, Final

from django.test import Client

from payouts.disputes.models import Dispute, DisputeStep
from tests.casino.backoffice.cases.case_forms import code_of_lorenzo, fields_of
from tests.casino.backoffice.page_source import page_html

LIST: Final = "/admin/disputes/"


def address(dispute: Dispute, action: str = "") -> str:
    """The dispute's page, or one of its actions."""
    return f"{LIST}{dispute.pk}/{action}"


def do(client: Client, dispute: Dispute, action: str, **fields: Any) -> str:
    """Sends a form with the current step; returns the text of the next page."""
    seen = DisputeStep.objects.filter(dispute=dispute).count()
    answer = client.post(address(dispute, f"{action}/"), {"seen": seen, **fields}, follow=True)
    return page_html(answer)


def decide(client: Client, dispute: Dispute, action: str, **fields: Any) -> str:
    """Sends a decision with the hidden fields of the chosen remedy."""
    page = client.get(address(dispute), {"remedy": fields["remedy"]} if "remedy" in fields else {})
    digest = {name: value for name, value in fields_of(page).items() if name == "digest"}
    requested = {"note": "The cards show it.", "citations": ["0"], "code": code_of_lorenzo()}
    return do(client, dispute, action, **{**requested, **digest, **fields})
