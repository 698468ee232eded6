"""Signatures of persons for the rule sets that a release puts in force."""

from collections.abc import Iterable
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
from rounds.models import EarlierRuleSet
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.rules.rule_set import RuleSet
from rounds.services.put_rules_in_force import IN_FORCE
from rounds.services.queue import retry_rounds_under

KNOWN: Final = KnownSignatures()
_SIGNED: Final = "RULES_SIGNED"


class NothingToSign(Exception):
    """The rule set is not recorded, or a person has signed it. Nothing was written."""


def sign_rules(*, name: str, at: datetime, actor: Actor, catalogue: Catalogue = RULE_SETS) -> None:
    """Signs that the rule set is in force as this software has it, named by its digest.

    Rounds that waited for it become due at once. Raises NothingToSign, or as ``record_decision``.
    """
    with transaction.atomic():
        lock_names(["rules"])
        if name not in unsigned_rule_sets(catalogue):
            raise NothingToSign(f"found {name}; needed a recorded rule set that nobody signed")
        record_decision(_entry(catalogue[name]), at=at, actor=actor)
        retry_rounds_under(catalogue[name].digest, at=at)


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
    earlier = EarlierRuleSet.objects.count()
    return f"{len(RULE_SETS)} rule sets, and {earlier} that settle rounds as before signatures"


def signed_digests(names: Iterable[str]) -> set[bytes]:
    """The digests under which persons signed these rule sets, or that are from before signatures.

    Those of other releases as well, which signed what their software had.
    """
    subjects = [f"rules:{name}" for name in names]
    records = AuditRecord.objects.filter(subject__in=subjects, action__in=[IN_FORCE, _SIGNED])
    return {bytes.fromhex(record.details["digest"]) for record in records if _is_genuine(record)}


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
    for record in records:  # anybody may write them, so what a record says is read last
        if _is_genuine(record) and record.details["digest"] == rules.digest.hex():
            return record
    return None


def _is_genuine(record: AuditRecord) -> bool:
    """Whether its person signed it, or it is from before signatures."""
    if record.action == IN_FORCE:
        return EarlierDecision.objects.filter(pk=record.pk).exists()
    entry = Entry(record.action, record.subject, record.details)
    actor = Actor(record.actor, record.actor_user_id)
    return KNOWN.are_signed(SignedRow(entry, record.at, actor))
