"""What is done with a dispute on its page, through its forms."""

from typing import Any, Final

from django.test import Client

from payouts.disputes.standing import State, standings_of
from payouts.models import Dispute, DisputeStep
from tests.pages.cases.signing import code_of_lorenzo, fields_of

LIST: Final = "/admin/disputes/"


def address(dispute: Dispute, deed: str = "") -> str:
    """The dispute's page, or what one of its forms does."""
    return f"{LIST}{dispute.pk}/{deed}"


def state_of(dispute: Dispute) -> State:
    """Where it stands."""
    return standings_of([dispute])[dispute.pk].state


def do(client: Client, dispute: Dispute, deed: str, **said: Any) -> str:  # noqa: ANN401
    """Sends a form of what the page shows now; the page as it reads afterwards."""
    seen = DisputeStep.objects.filter(dispute=dispute).count()
    answer = client.post(address(dispute, f"{deed}/"), {"seen": seen, **said}, follow=True)
    return str(answer.content.decode())


def decide(client: Client, dispute: Dispute, deed: str, **said: Any) -> str:  # noqa: ANN401
    """A decision with what the chosen remedy's page sends of its own."""
    page = client.get(address(dispute), {"remedy": said["remedy"]} if "remedy" in said else {})
    digest = {name: value for name, value in fields_of(page).items() if name == "digest"}
    asked = {"note": "The cards show it.", "citations": ["0"], "code": code_of_lorenzo()}
    return do(client, dispute, deed, **{**asked, **digest, **said})
