"""Verification of all stored decisions and signing keys, as part of ``verify_trail``."""

from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.queries import Action, approvals_of, is_complete
from compliance.signatures.signature_verifier import (
    SignatureVerifier,
    UnsignedDecision,
    signed_actions,
    with_signatures,
)
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord

_AT_ONCE: Final = 1_000


def verify_signatures(report: Report) -> str:
    """Verifies all records that must be signed and all keys; names what does not hold."""
    verifier = SignatureVerifier()
    number = verify_records(AuditRecord.objects.all(), report, verifier)
    _report_orphans(report)
    earlier = verifier.earlier
    keys = SigningKey.objects.prefetch_related("steps").order_by("id")
    rooted = sum([_verify_key(key, verifier, report) for key in keys])
    return (
        f"{number - earlier} signed decisions, {earlier} from before signatures, "
        f"{rooted} signing keys approved on the host"
    )


def verify_records(
    among: "QuerySet[AuditRecord]", report: Report, verifier: SignatureVerifier
) -> int:
    """Reports those of these records that must be signed and are not; returns their number."""
    number = 0
    records = among.filter(action__in=signed_actions()).order_by("id")
    for record, signature in with_signatures(records):
        number += 1
        try:
            verifier.verify(record, signature)
        except UnsignedDecision as error:
            report(f"{record.action} of {record.subject} by {record.actor}: {error}")
    return number


def _report_orphans(report: Report) -> None:
    """Reports signatures of no record."""
    records = AuditRecord.objects.filter(pk=OuterRef("record_id"))
    for signature in DecisionSignature.objects.exclude(Exists(records)).iterator(_AT_ONCE):
        report(f"signature of record {signature.record_id}: found no such record")


def _verify_key(key: SigningKey, verifier: SignatureVerifier, report: Report) -> bool:
    """Whether it is a first key. Reports it unless every decision about it is signed."""
    approvals = approvals_of(key)
    is_rooted = bool(approvals) and approvals[0].action == Action.ROOTED
    if is_complete(approvals) and verifier.in_force_from(key) is None:
        report(f"{key.subject} of {key.person_name}: found no signed approvals by two others")
    for step in key.steps.all():
        if is_complete(approvals) and step in approvals:
            continue
        try:
            verifier.verify_row(step)
        except UnsignedDecision as error:
            report(f"{key.subject} of {key.person_name}, {step.action} by {step.actor}: {error}")
    return is_rooted
