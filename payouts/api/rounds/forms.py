"""The forms of what is told of rounds, for the description of the API and its clients."""

from typing import Any

from rest_framework import serializers

from payouts.models import BetSettlement, Settlement
from payouts.queries import RoundStatus
from payouts.services.answers import VERDICTS

_JOB_STATUSES = ("waiting", "running", "failing", "finished")


class _Form(serializers.Serializer[Any]):
    """What is only told, never read."""


def _text(**options: Any) -> serializers.CharField:  # noqa: ANN401  the framework's
    return serializers.CharField(**options)


def _cents(text: str = "", *, null: bool = False) -> serializers.IntegerField:
    return serializers.IntegerField(help_text=text or None, allow_null=null)


class RoundLinks(_Form):
    """Where all about a round is."""

    self = _text()
    bets = _text()
    timeline = _text()
    receipt = _text()


class Taken(_Form):
    """A document that was taken, now or before."""

    verdict = serializers.ChoiceField(VERDICTS[:2])
    round = _text(required=False, help_text="The studio's id of the round")
    id = serializers.UUIDField(required=False, help_text="Sabot's id of the round")
    shoe = _text(required=False, help_text="Of a shoe's document, instead of the round")
    status = serializers.ChoiceField(RoundStatus.values, required=False)
    links = RoundLinks(required=False)


class JobVerdicts(_Form):
    """How many documents became what."""

    accepted = serializers.IntegerField()
    known = serializers.IntegerField()
    conflict = serializers.IntegerField()
    refused = serializers.IntegerField()


class JobLinks(_Form):
    """Where a job and its answers are."""

    self = _text()
    answers = _text()


class Job(_Form):
    """A delivery that the workers take in."""

    id = serializers.UUIDField()
    status = serializers.ChoiceField(
        _JOB_STATUSES,
        help_text="failing: it is tried again, and persons see it",
    )
    percent = serializers.IntegerField()
    bytes = serializers.IntegerField(help_text="Of the whole feed, unpacked")
    lines = serializers.IntegerField(help_text="That were read until now")
    verdicts = JobVerdicts()
    delivered_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    links = JobLinks()


class RoundInShort(_Form):
    """A round as lists tell it; with a customer, bets and money are that customer's."""

    id = serializers.UUIDField(help_text="Sabot's id; ids are in the order of play")
    round = _text(help_text="The studio's id")
    table = _text()
    rules = _text()
    game_code = _text(help_text="What a player sees: #HH:MM:SS of the opening, GMT")
    session = _text(help_text="AAMS session id")
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    received_at = serializers.DateTimeField()
    status = serializers.ChoiceField(RoundStatus.values)
    anomalies = serializers.ListField(child=_text(), help_text="Codes of the feed contract")
    settlement = serializers.IntegerField(
        allow_null=True, help_text="The sequence of the one that counts; null before the first"
    )
    bet_count = serializers.IntegerField()
    staked_cents = _cents("Stakes and raises")
    payout_cents = _cents("All that was credited, stakes included", null=True)
    links = RoundLinks()


class Reason(_Form):
    """A rule by which a bet was decided."""

    rule = _text()
    sheet = _text(allow_null=True, help_text="Key of the rule sheet")
    heading = _text(allow_null=True, help_text="Heading of the sheet")
    title = _text(allow_null=True)
    summary = _text(allow_null=True)


class Step(_Form):
    """One step towards a payout."""

    text = _text(help_text="In the language of Accept-Language")
    rule = _text(allow_null=True, help_text="The rule that the step rests on")
    adds_cents = _cents("What it adds to the payout")


class Bet(_Form):
    """A bet, what it paid, and why."""

    number = serializers.IntegerField(help_text="Its place in the feed's list, from 0")
    id = _text()
    customer = _text(help_text="The feed's player")
    participation = _text(help_text="AAMS participation id")
    box = serializers.IntegerField(allow_null=True)
    kind = _text()
    play = _text()
    funding = serializers.ChoiceField(("cash", "golden"))
    behind = serializers.BooleanField()
    follows = serializers.BooleanField()
    placed_at = serializers.DateTimeField()
    stake_cents = _cents()
    raised_cents = _cents()
    reported_cents = _cents("What the studio says it credited", null=True)
    outcome = serializers.ChoiceField(BetSettlement.Outcome.values, allow_null=True)
    payout_cents = _cents("All that was credited, stakes included", null=True)
    chips_cents = _cents("Of which golden chips", null=True)
    reasons = Reason(many=True)
    explanation = Step(many=True)


class Bets(_Form):
    """Some bets of a round, in the order of the feed."""

    data = Bet(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True, help_text="The cursor of the page behind it, null on the last")


class TimelineEntry(_Form):
    """Something that was recorded about a round."""

    id = serializers.UUIDField(help_text="Of the audit record")
    at = serializers.DateTimeField()
    action = _text()
    text = _text(help_text="In the language of Accept-Language")
    actor = _text(allow_null=True, help_text="Who; not told to a customer")


class Timeline(_Form):
    """What was recorded about a round, oldest first."""

    data = TimelineEntry(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True)


class OneSettlement(_Form):
    """A decision on the round's money. Sums and persons are not told to a customer."""

    sequence = serializers.IntegerField()
    kind = serializers.ChoiceField(Settlement.Kind.values)
    rules = _text()
    settled_at = serializers.DateTimeField()
    reason = _text(allow_null=True)
    bonus = serializers.DictField(allow_null=True)
    staked_cents = _cents(null=True)
    payout_cents = _cents(null=True)
    chips_cents = _cents(null=True)
    actor = _text(allow_null=True)
    approved_by = _text(allow_null=True)


class WholeRound(RoundInShort):
    """A round with everything. What the feed's contract defines is told in its form."""

    shoe = serializers.DictField(allow_null=True)
    cards = serializers.ListField(
        child=serializers.ListField(child=_text()), help_text="[place, card] as they were dealt"
    )
    multipliers = serializers.DictField(allow_null=True)
    bonus = serializers.DictField(allow_null=True)
    disconnects = serializers.ListField(child=serializers.DictField())
    incident = _text(allow_null=True)
    settlements = OneSettlement(many=True)
    bets = Bets()
    timeline = TimelineEntry(many=True)


class Rounds(_Form):
    """Some rounds, newest play first."""

    data = RoundInShort(many=True)  # type: ignore[assignment]  # a field
    next = _text(allow_null=True, help_text="The cursor of the page behind it, null on the last")


class Receipt(_Form):
    """Proofs that what is recorded about a round is in the signed log."""

    receipt = _text()
    round = _text()
    records = serializers.ListField(child=serializers.DictField())
