"""What the services of disputes refuse, as problems: the field, what was found, what is needed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from payouts.api import problems
from payouts.api.problems import FieldError, Problem, kind
from payouts.services.decide_dispute import NothingCited
from payouts.services.dispute_remedies import NotARemedy
from payouts.services.dispute_steps import (
    DisputeRefusal,
    NothingWritten,
    NotInThisState,
)
from payouts.services.end_dispute import NoLetter
from payouts.services.open_case import NotEvidence
from payouts.services.open_dispute import (
    DisputedAlready,
    NoBetOfHis,
    NothingContested,
    NotHisBet,
)
from rounds.services.table_fields import one_of

DISPUTED_ALREADY: Final = kind(
    "disputed-already",
    409,
    _("The customer contests the same already"),
    _("Add to the dispute that is open; another one can be opened once it is closed."),
)
NOT_IN_THIS_STATE: Final = kind(
    "dispute-stands-elsewhere",
    409,
    _("The dispute does not stand where that can be done"),
    _("The error names the state found and those needed. Read the dispute again."),
)
MOVED: Final = kind(
    "dispute-moved",
    412,
    _("The dispute has changed since it was read"),
    _("Read the dispute again, decide anew, and send its new ETag as If-Match."),
)
_FIELDS: Final[dict[type[Exception], tuple[str, str | Promise]]] = {
    NothingContested: ("text", _("what is contested, in words")),
    NotHisBet: ("bet_number", _("a bet of the customer in this round")),
    NoBetOfHis: ("round", _("a round in which the customer has a bet")),
    NothingWritten: ("text", _("what is to be said, in words")),
    NothingCited: ("citations", _("headings that the rules of the round cite, one at least")),
    NotARemedy: ("way", _("no remedy of a rejected dispute")),
    NoLetter: ("reference", _("the reference of the letter")),
}


@contextmanager
def refusals_told(said: Mapping[str, Any]) -> Iterator[None]:
    """Tells what is refused while the block runs of what was ``said``."""
    try:
        yield
    except DisputeRefusal as refusal:
        raise _problem(refusal, said) from refusal
    except NotEvidence as refusal:
        needed = _("a PDF, a PNG or a JPEG of 10 MB at most, by its content")
        error = FieldError("/file", f"{refusal.name}: {refusal.found}", needed)
        raise Problem(problems.REFUSED, errors=[error]) from refusal


def moved(found: str, needed: str) -> Problem:
    """That somebody acts upon a dispute as it no longer is."""
    return Problem(MOVED, errors=[FieldError("header:If-Match", found, needed)])


def _problem(refusal: DisputeRefusal, said: Mapping[str, Any]) -> Problem:
    if isinstance(refusal, DisputedAlready):
        needed = _("no open dispute about the same")
        error = FieldError("/round", str(refusal.dispute), needed)
        return Problem(DISPUTED_ALREADY, errors=[error])
    if isinstance(refusal, NotInThisState):
        error = FieldError("state", refusal.state.value, one_of(refusal.needed))
        return Problem(NOT_IN_THIS_STATE, errors=[error])
    field, words = _FIELDS[type(refusal)]
    return Problem(problems.REFUSED, errors=[FieldError(f"/{field}", said.get(field), words)])
