"""Issues the certificate of a rule set: its returns, computed and signed."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.db import transaction

from compliance.certification.models import WeightSet
from compliance.certification.queries import weights_in_force
from compliance.certification.returns.representation import returns_to_json
from compliance.certification.returns.weights_document import read_weights
from compliance.exports.bundle.contents import json_file
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.bundle.software import software
from compliance.exports.models import RuleCertificate
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.gaming_day import ROME
from rounds.rules.rule_set import RuleSet

_FORMAT: Final = "sabot-certificate/1"


def issue_certificate(
    rules: RuleSet, *, key: SigningKey, at: datetime, actor: Actor
) -> tuple[RuleCertificate, bool]:
    """Issues a certificate; returns it and whether it is new.

    If the content, apart from the date, equals that of the latest certificate of the rule set, the
    latter is returned. Includes the weights in force on the day of issue.
    """
    weights = weights_in_force(rules.name, on=at.astimezone(ROME).date())
    read = read_weights(weights.content) if weights else None
    document = certificate_to_json(rules, returns_to_json(rules, read), weights)
    latest = RuleCertificate.objects.filter(rules=rules.name).order_by("-pk").first()
    if latest is not None and latest.payload | {"computed_at": None} == document | {
        "computed_at": None
    }:
        return latest, False
    content = certificate_bytes(document, at=at)
    with transaction.atomic():
        issued = RuleCertificate.objects.create(
            rules=rules.name,
            rules_digest=rules.digest,
            content=content.decode(),
            digest=hashlib.sha256(content).digest(),
            signature=key.sign(content),
            key_id=key.key_id,
            issued_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        details = {"rules_digest": rules.digest.hex(), "sha256": issued.digest.hex()}
        entry = Entry("CERTIFICATE_ISSUED", f"rules:{rules.name}", details)
        record_entries([entry], at=at, actor=actor)
    return issued, True


def certificate_to_json(
    rules: RuleSet, returns: Sequence[Mapping[str, Any]], weights: WeightSet | None = None
) -> dict[str, Any]:
    """The content of a certificate as JSON values; `certificate_bytes` adds the date."""
    return {
        "format": _FORMAT,
        "rules": rules.name,
        "game": rules.game,
        "sheet": rules.sheet,
        "decks": rules.decks,
        "in_force_from": str(rules.in_force_from),
        "rules_sha256": rules.digest.hex(),
        "software": software()._asdict(),
        "weights": _weights(weights) if weights else None,
        "returns": list(returns),
    }


def _weights(weights: WeightSet) -> dict[str, Any]:
    """The weights behind the returns, with their document."""
    return {
        "number": str(weights),
        "in_force_from": str(weights.in_force_from),
        "set_by": weights.actor,
        "approved_by": weights.approval.actor,
        "reason": weights.reason,
        "sha256": weights.digest.hex(),
        "document": weights.content,
    }


def certificate_bytes(document: Mapping[str, Any], *, at: datetime) -> bytes:
    """The JSON to be signed: the content with the time of computation."""
    return json_file({**document, "computed_at": at.astimezone(UTC).isoformat()})
