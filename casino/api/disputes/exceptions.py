"""Errors of the dispute services as problems."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.api import problems
from casino.api.problems import FieldError, Problem, declare_problem
from compliance.trail.steps import StepError, WrongStatus
from payouts.disputes.decide_dispute import InvalidCitations
from payouts.disputes.execute_remedy import InvalidDisputeRemedy, LossNotAccepted
from payouts.disputes.open_dispute import (
    BetOfOtherCustomer,
    DisputeContentMissing,
    DuplicateDispute,
    NoBetInRound,
)
from payouts.disputes.steps import NoteRequired
from payouts.evidence import InfectedFile, InvalidEvidence
from payouts.regulator_letters import LetterReferenceMissing
from payouts.virus_scan import ScanFailed
from rounds.field_errors import one_of

DISPUTED_ALREADY: Final = declare_problem(
    "disputed-already",
    409,
    _("The customer already has an open dispute about this bet"),
    _("Add to the open dispute. A new dispute can be opened after it is closed."),
)
NOT_IN_THIS_STATE: Final = declare_problem(
    "dispute-stands-elsewhere",
    409,
    _("The status of the dispute does not allow this"),
    _(
        "The error contains the current status and the statuses that allow the request. Get the"
        " dispute again."
    ),
)
DISPUTE_CHANGED: Final = declare_problem(
    "dispute-moved",
    412,
    _("The dispute has changed since it was read"),
    _("Get the dispute again, review the decision, and send the new ETag as If-Match."),
)
LOSS_NOT_ACCEPTED: Final = declare_problem(
    "customer-loses",
    422,
    _("The remedy debits the customer who raised the dispute"),
    _(
        "The error contains the amount in cents. Send it as accepted_loss_cents, or propose another"
        " remedy."
    ),
)
NOT_SCANNED: Final = declare_problem(
    "file-not-scanned",
    503,
    _("The file could not be scanned for viruses"),
    _("Nothing was stored. Send the same request again later."),
)
_FIELDS: Final[dict[type[Exception], tuple[str, str | Promise]]] = {
    DisputeContentMissing: ("text", _("a description of the disputed item")),
    BetOfOtherCustomer: ("bet_number", _("a bet of the customer in this round")),
    NoBetInRound: ("round", _("a round in which the customer has a bet")),
    NoteRequired: ("text", _("a text for the customer")),
    InvalidCitations: ("citations", _("at least one heading that the rules of the round cite")),
    InvalidDisputeRemedy: ("way", _("no remedy, because the dispute is rejected")),
    LetterReferenceMissing: ("reference", _("the reference of the letter")),
}


@contextmanager
def service_errors_as_problems(data: Mapping[str, Any]) -> Iterator[None]:
    """Converts the errors of a block that runs a service with ``data``. Raises Problem."""
    try:
        yield
    except InvalidEvidence as error:
        needed = _("a PDF, PNG or JPEG file of up to 10 MB, with a name that ends accordingly")
        if isinstance(error, InfectedFile):
            needed = _("a file without a virus")
        field_error = FieldError("/file", f"{error.name}: {error.found}", needed)
        raise Problem(problems.REFUSED, errors=[field_error]) from error
    except ScanFailed as error:
        raise Problem(NOT_SCANNED) from error
    except StepError as error:
        raise _problem(error, data) from error


def etag_mismatch(found: str, needed: str) -> Problem:
    """If-Match names another ETag than that of the dispute."""
    return Problem(DISPUTE_CHANGED, errors=[FieldError("header:If-Match", found, needed)])


def _problem(error: StepError, data: Mapping[str, Any]) -> Problem:
    if isinstance(error, DuplicateDispute):
        needed = _("no other open dispute about the same bet")
        field_error = FieldError("/round", str(error.dispute), needed)
        return Problem(DISPUTED_ALREADY, errors=[field_error])
    if isinstance(error, WrongStatus):
        field_error = FieldError("state", error.status.value, one_of(error.needed))
        return Problem(NOT_IN_THIS_STATE, errors=[field_error])
    if isinstance(error, LossNotAccepted):
        found = data.get("accepted_loss_cents", 0)
        field_error = FieldError("/accepted_loss_cents", found, str(error.loss_cents))
        return Problem(LOSS_NOT_ACCEPTED, errors=[field_error])
    field, text = _FIELDS[type(error)]
    return Problem(problems.REFUSED, errors=[FieldError(f"/{field}", data.get(field), text)])
