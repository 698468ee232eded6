"""Inclusion proofs of audit records, as the API returns them."""

from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from casino.api.client.shapes.proofs import RecordProof, SignedHead
from casino.api.problems import Problem, declare_problem
from compliance.trail.log.proofs import prove_record
from compliance.trail.log.stored_tree import NotInLog

NOT_IN_LOG: Final = declare_problem(
    "not-in-log",
    409,
    _("The record is not in the signed log yet"),
    _("This takes a few seconds. Try again after the number of seconds in Retry-After."),
)
_RETRY_SECONDS: Final = "2"


def proof_of(record_id: UUID) -> RecordProof:
    """The inclusion proof of a record. Raises Problem (409) until it is in the signed log."""
    try:
        return record_proof(prove_record(record_id))
    except NotInLog:
        raise not_in_log() from None


def record_proof(proof: dict[str, Any]) -> RecordProof:
    """The inclusion proof in the form of the API."""
    head = SignedHead(**{"origin": "", **proof["head"]})
    return RecordProof(**{"tlog_proof": None, "cosignatures": (), **proof, "head": head})


def not_in_log() -> Problem:
    """The answer until the latest record is in the signed log."""
    return Problem(NOT_IN_LOG, headers={"Retry-After": _RETRY_SECONDS})
