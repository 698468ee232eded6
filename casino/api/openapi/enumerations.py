"""The enumerations of the OpenAPI document: a component for each, named here.

A field whose values are none of these sets is an error when the document is generated: an
enumeration without a name would get another one whenever the fields around it change.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from casino.integrations.events.types import EventType
from casino.integrations.models import ApiKey
from casino.integrations.scopes import OF_PROGRAMS
from casino.integrations.webhook_status import WebhookStatus
from compliance.exports.bundle_status import Stage as BundleStage
from compliance.exports.dossier.models import Dossier
from compliance.exports.models import Bundle, BundleStep
from payouts.cases.models import Case
from payouts.cases.status import Stage as CaseStage
from payouts.disputes.models import Dispute, DisputeStep, VerdictProposal
from payouts.disputes.remedies import Way
from payouts.disputes.status import State
from payouts.evidence import EVIDENCE_TYPES
from payouts.settlement.models import BetSettlement, Settlement
from payouts.settlement.queries import RoundStatus
from rounds.uploads.document_answers import VERDICTS

ENUMERATIONS: Final[Mapping[str, Sequence[str]]] = {
    "BetFunding": ("cash", "golden"),
    "BetOutcome": BetSettlement.Outcome.values,
    "CaseKind": Case.Kind.values,
    "CaseStage": CaseStage.values,
    "DecisionVerdict": VerdictProposal.Verdict.values,
    "DeliveryVerdict": VERDICTS[:2],
    "DisputeAction": DisputeStep.Action.values,
    "DisputeLanguage": Dispute.Language.values,
    "DisputeOpener": Dispute.OpenedBy.values,
    "DisputeReason": Dispute.Reason.values,
    "DisputeState": State.values,
    "DossierAudience": Dossier.Audience.values,
    "DossierStatus": ("waiting", "signed"),
    "EventType": tuple(EventType),
    "EvidenceType": tuple(EVIDENCE_TYPES),
    "ExportAction": BundleStep.Action.values,
    "ExportContents": Bundle.Contents.values,
    "ExportFileState": ("fits", "missing", "changed"),
    "ExportKind": Bundle.Kind.values,
    "ExportStatus": tuple(BundleStage),
    "JobStatus": ("waiting", "running", "failing", "finished", "cancelled"),
    "KeyKind": tuple(kind for kind in ApiKey.Kind.values if kind != ApiKey.Kind.DIRECTORY),
    "PublicKeyKind": ("operator_certificate", "log_key"),
    "RemedyWay": Way.values,
    "RoundStatus": RoundStatus.values,
    "Scope": tuple(scope.value for scope in OF_PROGRAMS),
    "SettlementKind": Settlement.Kind.values,
    "WebhookStatus": tuple(WebhookStatus),
}
_NAMES: Final = {frozenset(values): name for name, values in ENUMERATIONS.items()}
_OWN: Final = ("type", "enum", "x-spec-enum-id")


def name_enumerations(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001  drf-spectacular's signature
) -> dict[str, Any]:
    """Replaces the values of each enumerated field by a reference to its enumeration."""
    schemas = result["components"]["schemas"]
    for place, schema in list(_enumerated(schemas)):
        name = _NAMES.get(frozenset(schema["enum"]) - {None})
        if name is None:
            raise ValueError(f"{place} has values that ENUMERATIONS does not name")
        enumeration = {"type": "string", "enum": [str(value) for value in ENUMERATIONS[name]]}
        if schemas.setdefault(name, enumeration) != enumeration:
            raise ValueError(f"{name} is the name of another component as well")
        reference = {"$ref": f"#/components/schemas/{name}"}
        is_nullable = None in schema["enum"]
        for key in _OWN:
            schema.pop(key, None)
        schema.update({"oneOf": [reference, {"type": "null"}]} if is_nullable else reference)
    return result


def _enumerated(schemas: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for component, schema in schemas.items():
        for name, field in schema.get("properties", {}).items():
            values = field["items"] if field.get("type") == "array" else field
            if "enum" in values:
                yield f"{component}.{name}", values
