"""OpenAPI components, derived from the dataclasses of the Python client.

Field names, types and descriptions come from the dataclass. This module adds what only the server
knows: the values of enumerations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from rest_framework import serializers

from casino.api.client.reading import fields_of
from casino.api.client.shapes import (
    customers,
    disputes,
    dossiers,
    events,
    exports,
    findings,
    rounds,
    webhooks,
)
from casino.integrations.event_stream import EventType
from casino.integrations.scopes import Scope
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

Shape = serializers.Serializer[Any]

_EVENT_TYPES: Final = [event_type.value for event_type in EventType]
_CHOICES: Final[Mapping[type, Mapping[str, Sequence[str]]]] = {
    rounds.DeliveryResult: {"verdict": VERDICTS[:2], "status": RoundStatus.values},
    rounds.Job: {"status": ("waiting", "running", "failing", "finished")},
    rounds.RoundSummary: {"status": RoundStatus.values},
    rounds.Bet: {"funding": ("cash", "golden"), "outcome": BetSettlement.Outcome.values},
    rounds.SettlementDetails: {"kind": Settlement.Kind.values},
    disputes.DisputeSummary: {
        "state": State.values,
        "opened_by": Dispute.OpenedBy.values,
        "reason": Dispute.Reason.values,
        "language": Dispute.Language.values,
    },
    disputes.DisputeDecision: {"verdict": VerdictProposal.Verdict.values},
    disputes.DisputeRemedy: {"kind": Case.Kind.values, "stage": CaseStage.values},
    disputes.DecisionProposal: {"verdict": VerdictProposal.Verdict.values, "way": Way.values},
    disputes.DisputeStep: {"action": DisputeStep.Action.values},
    disputes.Evidence: {"content_type": list(EVIDENCE_TYPES)},
    findings.FindingSettlement: {"kind": Settlement.Kind.values},
    findings.FindingOutcome: {"outcome": BetSettlement.Outcome.values},
    findings.DisputeFinding: {"status": RoundStatus.values},
    customers.CustomerToken: {"scopes": Scope.values},
    exports.ExportSummary: {
        "kind": Bundle.Kind.values,
        "contents": Bundle.Contents.values,
        "status": [stage.value for stage in BundleStage],
    },
    exports.ExportDetails: {"file": ("fits", "missing", "changed")},
    exports.ExportStep: {"action": BundleStep.Action.values},
    dossiers.Dossier: {"audience": Dossier.Audience.values, "status": ("waiting", "signed")},
    events.Event: {"type": _EVENT_TYPES},
    events.EventData: {"kind": Settlement.Kind.values},
    webhooks.Webhook: {
        "types": _EVENT_TYPES,
        "status": [status.value for status in WebhookStatus],
    },
    webhooks.DeadLetter: {"type": _EVENT_TYPES},
}
_OPTIONS: Final[Mapping[tuple[type, str], Mapping[str, Any]]] = {
    (disputes.DecisionProposal, "accepted_loss_cents"): {"min_value": 0},
}
_FIELDS: Final[Mapping[Any, type[serializers.Field[Any, Any, Any, Any]]]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    bool: serializers.BooleanField,
    UUID: serializers.UUIDField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
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
    declared = (_CHOICES.get(base, {}).get(name) for base in shape.__mro__)
    return next((choices for choices in declared if choices), None)


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
    if origin is not None:
        child = {} if arguments[1] is Any else {"child": _field(arguments[1], None, {})}
        return serializers.DictField(**child, **options)
    if choices:
        return serializers.ChoiceField(choices, **options)
    return _FIELDS[hint](**options)
