"""Signatures of persons for the rule sets that a release puts in force."""

from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.signatures.models import EarlierDecision
from compliance.signatures.sign_decision import record_decision
from compliance.signatures.verify_rows import KnownSignatures, SignedRow
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.rules.rule_set import RuleSet
from rounds.services.put_rules_in_force import IN_FORCE

KNOWN: Final = KnownSignatures()
_SIGNED: Final = "RULES_SIGNED"


class NothingToSign(Exception):
    """The rule set is not recorded, or a person has signed it. Nothing was written."""


def sign_rules(*, name: str, at: datetime, actor: Actor, catalogue: Catalogue = RULE_SETS) -> None:
    """Signs that the rule set is in force as this software has it, named by its digest.

    Raises NothingToSign, SignatureRequired, KeyNotInForce or InvalidAssertion.
    """
    with transaction.atomic():
        lock_names(["rules"])
        if name not in unsigned_rule_sets(catalogue):
            raise NothingToSign(f"found {name}; needed a recorded rule set that nobody signed")
        record_decision(_entry(catalogue[name]), at=at, actor=actor)


def unsigned_rule_sets(catalogue: Catalogue = RULE_SETS) -> list[str]:
    """The names of the recorded rule sets that nobody signed as this software has them.

    What was recorded before signatures counts. Each signature is verified once in a process.
    """
    records = _records(catalogue)
    return [
        name
        for name, rules in catalogue.items()
        if name in records and _signature_among(records[name], rules) is None
    ]


def verify_rule_sets(report: Report) -> str:
    """Reports each recorded rule set that nobody signed as this software has it."""
    for name in unsigned_rule_sets():
        report(f"rules:{name}: found no signature of digest {RULE_SETS[name].digest.hex()}")
    return f"{len(RULE_SETS)} rule sets"


def signature_of(rules: RuleSet) -> AuditRecord | None:
    """The record by which a person signed the rule set, or that is from before signatures."""
    catalogue = {rules.name: rules}
    return _signature_among(_records(catalogue).get(rules.name, []), rules)


def _entry(rules: RuleSet) -> Entry:
    details = {
        "digest": rules.digest.hex(),
        "in_force_from": str(rules.in_force_from),
        "sheet": rules.sheet,
    }
    return Entry(_SIGNED, f"rules:{rules.name}", details)


def _records(catalogue: Catalogue) -> dict[str, list[AuditRecord]]:
    """What is recorded of each rule set, oldest first."""
    records: dict[str, list[AuditRecord]] = {}
    subjects = [f"rules:{name}" for name in catalogue]
    found = AuditRecord.objects.filter(subject__in=subjects, action__in=[IN_FORCE, _SIGNED])
    for record in found.order_by("id"):
        records.setdefault(record.subject.removeprefix("rules:"), []).append(record)
    return records


def _signature_among(records: list[AuditRecord], rules: RuleSet) -> AuditRecord | None:
    entry = _entry(rules)
    for record in records:
        actor = Actor(record.actor, record.actor_user_id)
        if record.action == _SIGNED and record.details == entry.details:
            if KNOWN.are_signed(SignedRow(entry, record.at, actor)):
                return record
        elif (
            record.action == IN_FORCE
            and record.details.get("digest") == rules.digest.hex()
            and EarlierDecision.objects.filter(pk=record.pk).exists()
        ):
            return record
    return None
