"""OpenAPI components, derived from the dataclasses of the Python client.

Field names, types and descriptions come from the dataclass. This module adds what only the server
knows: which fields are enumerations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from casino.api.client.reading import fields_of
from casino.api.client.shapes import (
    about,
    customers,
    disputes,
    dossiers,
    events,
    exports,
    findings,
    rounds,
    webhooks,
)
from casino.api.openapi.enumerations import ENUMERATIONS

Shape = serializers.Serializer[Any]

_ENUMERATIONS: Final[Mapping[type, Mapping[str, str]]] = {
    about.CallingKey: {"kind": "KeyKind", "scopes": "Scope"},
    about.PublicKey: {"kind": "PublicKeyKind"},
    rounds.DeliveryResult: {"verdict": "DeliveryVerdict", "status": "RoundStatus"},
    rounds.Job: {"status": "JobStatus"},
    rounds.RoundSummary: {"status": "RoundStatus"},
    rounds.Bet: {"funding": "BetFunding", "outcome": "BetOutcome"},
    rounds.SettlementDetails: {"kind": "SettlementKind"},
    disputes.DisputeSummary: {
        "state": "DisputeState",
        "opened_by": "DisputeOpener",
        "reason": "DisputeReason",
        "language": "DisputeLanguage",
    },
    disputes.DisputeDecision: {"verdict": "DecisionVerdict"},
    disputes.DisputeCase: {"kind": "CaseKind", "stage": "CaseStage"},
    disputes.DecisionProposal: {"verdict": "DecisionVerdict", "way": "RemedyWay"},
    disputes.DisputeStep: {"action": "DisputeAction"},
    disputes.Evidence: {"content_type": "EvidenceType"},
    findings.FindingSettlement: {"kind": "SettlementKind"},
    findings.FindingOutcome: {"outcome": "BetOutcome"},
    findings.DisputeFinding: {"status": "RoundStatus"},
    customers.CustomerToken: {"scopes": "Scope"},
    exports.ExportSummary: {
        "kind": "ExportKind",
        "contents": "ExportContents",
        "status": "ExportStatus",
    },
    exports.ExportDetails: {"file": "ExportFileState"},
    exports.ExportStep: {"action": "ExportAction"},
    dossiers.Dossier: {"audience": "DossierAudience", "status": "DossierStatus"},
    events.Event: {"type": "EventType"},
    events.SettlementEvent: {"kind": "SettlementKind"},
    events.DisputeEvent: {"state": "DisputeState"},
    events.CaseEvent: {"kind": "CaseKind"},
    webhooks.Webhook: {"types": "EventType", "status": "WebhookStatus"},
    webhooks.DeadLetter: {"type": "EventType"},
}
_OPTIONS: Final[Mapping[tuple[type, str], Mapping[str, Any]]] = {
    (disputes.DecisionProposal, "accepted_loss_cents"): {"min_value": 0},
}


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class _NumberOrText(serializers.Field[Any, Any, Any, Any]):
    """A value of the feed contract that is one or the other."""


_FIELDS: Final[Mapping[Any, type[serializers.Field[Any, Any, Any, Any]]]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    bool: serializers.BooleanField,
    UUID: serializers.UUIDField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    int | str: _NumberOrText,
}


@cache
def component(shape: Any) -> type[Shape]:
    """The serializer class that describes a dataclass in OpenAPI; it never renders an answer."""
    plain = cast("type", get_origin(shape) or shape)
    hints = get_type_hints(plain, include_extras=True)
    fields = {}
    for name, hint, is_required in fields_of(shape):
        options: dict[str, Any] = dict(_OPTIONS.get((plain, name), {}))
        if get_origin(hints[name]) is Annotated:
            options["help_text"] = hints[name].__metadata__[0]
        if not is_required:
            options["required"] = False
        fields[name] = _field(hint, _choices(plain, name), options)
    name = "".join(part.__name__ for part in (*get_args(shape), plain))  # RoundSummaryPage
    return type(name, (serializers.Serializer,), {"__doc__": plain.__doc__, **fields})


def _choices(shape: type, name: str) -> Sequence[str] | None:
    declared = (_ENUMERATIONS.get(base, {}).get(name) for base in shape.__mro__)
    return next((ENUMERATIONS[enumeration] for enumeration in declared if enumeration), None)


def _field(hint: Any, choices: Sequence[str] | None, options: dict[str, Any]) -> Any:
    if NoneType in get_args(hint):
        if options.get("required", True):
            options["allow_null"] = True
        [hint] = [arm for arm in get_args(hint) if arm is not NoneType]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple and is_dataclass(arguments[0]):
        return component(cast("Any", arguments[0]))(many=True, **options)
    if origin is tuple:
        return serializers.ListField(child=_field(arguments[0], choices, {}), **options)
    if is_dataclass(origin or hint):
        return component(cast("Any", hint))(**options)
    if origin is not None and hint not in _FIELDS:
        child = {} if arguments[1] is Any else {"child": _field(arguments[1], None, {})}
        return serializers.DictField(**child, **options)
    if choices:
        return serializers.ChoiceField(choices, **options)
    return _FIELDS[hint](**options)
