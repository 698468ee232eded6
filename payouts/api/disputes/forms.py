"""The forms of what is told of disputes, for the description of the API and its clients."""

from typing import Any

from rest_framework import serializers

from payouts.api.disputes.finding_forms import DisputeFindingForm
from payouts.cases.standing import Stage
from payouts.disputes.remedies import Way
from payouts.disputes.standing import State
from payouts.models import Case, Dispute, DisputeStep, VerdictProposal
from payouts.services.open_case import EVIDENCE_TYPES

VERDICTS = VerdictProposal.Verdict.values
_HIDDEN = "Not told to a customer"


class _Form(serializers.Serializer[Any]):
    """What is only told, never read."""


def _text(**options: Any) -> serializers.CharField:  # noqa: ANN401  the framework's
    return serializers.CharField(**options)


class DisputedRound(_Form):
    """The round that is contested."""

    id = serializers.UUIDField()
    round = _text(help_text="The studio's id")
    table = _text()
    rules = _text()
    game_code = _text()
    session = _text(help_text="AAMS session id")
    opened_at = serializers.DateTimeField()


class DisputeLinks(_Form):
    """Where all about a dispute is."""

    self = _text()
    steps = _text()
    evidence = _text()
    dossiers = _text()
    round = _text()


class DisputeInShort(_Form):
    """A dispute as lists tell it."""

    id = _text(help_text="Such as D-0001")
    state = serializers.ChoiceField(State.values)
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="By when the next step is to be taken"
    )
    overdue = serializers.BooleanField()
    round = DisputedRound()
    customer = _text()
    bet_number = serializers.IntegerField(
        allow_null=True, help_text="null: all of the customer's bets"
    )
    opened_by = serializers.ChoiceField(Dispute.OpenedBy.values)
    reason = serializers.ChoiceField(Dispute.Reason.values)
    claimed_cents = serializers.IntegerField(allow_null=True)
    language = serializers.ChoiceField(Dispute.Language.values)
    opened_at = serializers.DateTimeField()
    owner = _text(allow_null=True, help_text=f"Who took it into review. {_HIDDEN}")
    links = DisputeLinks()


class Disputes(_Form):
    """Some disputes, newest first."""

    data = DisputeInShort(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True, help_text="The cursor of the page behind it, null on the last")


class CitedHeading(_Form):
    """A heading of a rule sheet."""

    sheet = _text()
    heading = _text()


class DisputeDecision(_Form):
    """What was decided, the latest."""

    verdict = serializers.ChoiceField(VERDICTS)
    text = _text(help_text="The reasons, for the customer")
    citations = CitedHeading(many=True)
    at = serializers.DateTimeField()
    step = serializers.IntegerField(help_text="Its number among the steps")
    actor = _text(allow_null=True, help_text=_HIDDEN)


class DisputeRemedyForm(_Form):
    """The case by which an upheld dispute is made good, for the customer himself."""

    case = _text()
    kind = serializers.ChoiceField(Case.Kind.values)
    stage = serializers.ChoiceField(Stage.values)
    step = serializers.IntegerField(help_text="The decision that it follows, among the steps")
    executed_at = serializers.DateTimeField(allow_null=True)


class WholeDispute(DisputeInShort):
    """A dispute with everything that the key may read."""

    text = _text(help_text="What the customer says")
    actor = _text(allow_null=True, help_text=f"Who opened it. {_HIDDEN}")
    step = serializers.IntegerField(help_text="The number of the latest step")
    question = _text(allow_null=True, help_text="What the customer is asked, while it waits")
    decision = DisputeDecision(allow_null=True)
    remedy = DisputeRemedyForm(allow_null=True)
    evidence_count = serializers.IntegerField()
    finding = DisputeFindingForm()


class OwnLink(_Form):
    """Where it is."""

    self = _text()


class Proposal(_Form):
    """A decision that a program proposed."""

    id = serializers.IntegerField()
    verdict = serializers.ChoiceField(VERDICTS)
    text = _text(help_text="The reasons, as the customer would read them")
    citations = CitedHeading(many=True)
    way = serializers.ChoiceField(Way.values, allow_null=True)
    remedy_words = _text(allow_blank=True)
    step = serializers.IntegerField(help_text="Upon which it was made, among the steps")
    at = serializers.DateTimeField()
    actor = _text(help_text="The program, by its key")
    links = OwnLink()


class Proposals(_Form):
    """Decisions that programs proposed, oldest first."""

    data = Proposal(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True)


class DisputeStepForm(_Form):
    """Something that was done about a dispute."""

    sequence = serializers.IntegerField()
    action = serializers.ChoiceField(DisputeStep.Action.values)
    at = serializers.DateTimeField()
    text = _text(allow_null=True, help_text="To a customer only what was said to him")
    citations = CitedHeading(many=True)
    reference = _text(allow_null=True, help_text="Of a letter to the outside body or from it")
    on_day = serializers.DateField(allow_null=True, help_text="Of that letter")
    due_at = serializers.DateTimeField(allow_null=True)
    actor = _text(allow_null=True, help_text=_HIDDEN)


class DisputeSteps(_Form):
    """What was done about a dispute, oldest first."""

    data = DisputeStepForm(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True)


class Evidence(_Form):
    """A file that was handed in."""

    sha256 = _text()
    name = _text()
    content_type = serializers.ChoiceField(list(EVIDENCE_TYPES), help_text="By its content")
    bytes = serializers.IntegerField()
    added_at = serializers.DateTimeField()
    actor = _text(allow_null=True, help_text=_HIDDEN)
    links = OwnLink()


class EvidenceList(_Form):
    """The files of a dispute."""

    data = Evidence(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True)


class RecordProof(_Form):
    """A record with its path to a signed head of the log (docs/proof.md)."""

    proof = _text()
    record = _text()
    leaf_index = serializers.IntegerField()
    path = serializers.ListField(child=_text())
    head = serializers.DictField()
    public_key = _text()
