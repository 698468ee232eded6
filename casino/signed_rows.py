"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from casino.access.models import AccessDecision, AccessRequest
from casino.access.verification.signed_access import row_of_decision, row_of_request
from compliance.signatures.verify_rows import SignedRow


def signed_rows() -> Iterator[SignedRow]:
    """Requests to change somebody's access, and the decisions about them."""
    yield from map(row_of_request, AccessRequest.objects.order_by("pk"))
    decisions = AccessDecision.objects.select_related("request").order_by("pk")
    yield from map(row_of_decision, decisions)
