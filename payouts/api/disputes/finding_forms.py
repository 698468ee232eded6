"""The form of what Sabot found about a contested round (docs/disputes.md)."""

from typing import Any

from rest_framework import serializers

from payouts.models import BetSettlement, Settlement
from payouts.queries import RoundStatus

_DECIDERS = "Only with disputes:decide"
_HIDDEN = "Not told to a customer"


class _Form(serializers.Serializer[Any]):
    """What is only told, never read."""


def _text(**options: Any) -> serializers.CharField:  # noqa: ANN401  the framework's
    return serializers.CharField(**options)


class InBothLanguages(_Form):
    """A text."""

    it = _text()
    en = _text()


class FoundRound(_Form):
    """The round as it is stored."""

    id = serializers.UUIDField()
    reference = _text()
    code = _text()
    table = _text()
    rules = _text()
    rules_sha256 = _text()
    opened_at = serializers.DateTimeField()
    aams_session = _text()
    malfunction = serializers.BooleanField()
    cards = serializers.ListField(child=_text(), help_text="As they were dealt, with places")
    document_sha256 = _text(help_text="Of the document that the studio delivered")


class FoundSettlement(_Form):
    """A settlement that the round had."""

    sequence = serializers.IntegerField()
    kind = serializers.ChoiceField(Settlement.Kind.values)
    at = serializers.DateTimeField()
    actor = _text(allow_null=True, help_text=_HIDDEN)
    approved_by = _text(allow_null=True, help_text=_HIDDEN)
    reason = _text(allow_blank=True)
    payout_cents = serializers.IntegerField(
        allow_null=True, help_text=f"Of all bets of the round. {_HIDDEN}"
    )
    results_sha256 = _text(allow_null=True, help_text=_HIDDEN)


class Replay(_Form):
    """The round judged anew from its cards."""

    status = _text(allow_null=True)
    anomalies = serializers.ListField(child=_text())
    refused = _text(allow_blank=True, help_text="Why the running code could not judge it")
    agrees = serializers.BooleanField(
        allow_null=True, help_text="Whether the rules give what was paid; null: cannot be told"
    )
    ruling_agrees = serializers.BooleanField(
        allow_null=True, help_text="The same by the ruling of two persons, where there is one"
    )


class FoundGrade(_Form):
    """What a bet pays."""

    outcome = serializers.ChoiceField(BetSettlement.Outcome.values)
    payout_cents = serializers.IntegerField()
    chips_cents = serializers.IntegerField()
    reasons = serializers.ListField(child=_text())


class FoundStep(_Form):
    """A step of the explanation."""

    rule = _text(allow_null=True)
    sheet = _text(allow_null=True)
    heading = _text(allow_null=True)
    text = InBothLanguages()
    adds_cents = serializers.IntegerField()


class SiblingBet(_Form):
    """A bet of another customer in the same situation."""

    number = serializers.IntegerField()
    reference = _text()
    customer = _text()
    staked_cents = serializers.IntegerField()
    payout_cents = serializers.IntegerField(allow_null=True)


class Siblings(_Form):
    """Bets in the same situation: same round, kind, box and outcome, of other customers."""

    count = serializers.IntegerField()
    bets = SiblingBet(many=True, allow_null=True, help_text=f"The first hundred. {_DECIDERS}")


class FoundBet(_Form):
    """A contested bet, what it was paid, what the rules give, and why."""

    number = serializers.IntegerField()
    reference = _text(help_text="The studio's id")
    customer = _text()
    aams_participation = _text()
    kind = _text()
    box = serializers.IntegerField(allow_null=True)
    staked_cents = serializers.IntegerField()
    golden = serializers.BooleanField()
    placed_at = serializers.DateTimeField()
    reported_cents = serializers.IntegerField(allow_null=True)
    settled = FoundGrade(allow_null=True)
    rules_give = FoundGrade(allow_null=True)
    steps = FoundStep(many=True)
    adds_up = serializers.BooleanField(required=False)
    siblings = Siblings()


class FoundReading(_Form):
    """An entry of the register of readings that the payout rests on."""

    key = _text()
    title = InBothLanguages()
    reading = InBothLanguages()
    why = InBothLanguages()


class FoundRecord(_Form):
    """An audit record of the round."""

    id = serializers.UUIDField()
    action = _text()
    at = serializers.DateTimeField()
    in_log = serializers.BooleanField(help_text="Whether the signed log had it then")
    proof = _text(help_text="Where its proof is")


class EarlierAboutRound(_Form):
    """What there was about the round before."""

    cases = serializers.ListField(child=_text())
    disputes = serializers.ListField(child=_text())


class DisputeFindingForm(_Form):
    """What Sabot found as the dispute was opened."""

    finding = _text(help_text="sabot finding/1")
    sha256 = _text(help_text="Of the whole finding, as the trail has it")
    round = FoundRound()
    status = serializers.ChoiceField(RoundStatus.values)
    anomalies = serializers.ListField(child=_text())
    settlements = FoundSettlement(many=True)
    replay = Replay()
    bets = FoundBet(many=True)
    readings = FoundReading(many=True)
    records = FoundRecord(many=True, help_text="To a customer those of play and of its money")
    earlier = EarlierAboutRound(allow_null=True, help_text=_DECIDERS)
