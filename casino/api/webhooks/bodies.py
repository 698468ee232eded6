"""Request bodies of the webhook operations."""

from typing import Any, Final

from rest_framework import serializers

from casino.api.fields import Body, Choice, Integer, List, Moment, Text
from casino.integrations.add_webhook import LONGEST_DESCRIPTION
from casino.integrations.events.types import EventType
from casino.integrations.webhook_addresses import LONGEST

_URL: Final[dict[str, Any]] = {
    "max_length": LONGEST,
    "help_text": "https:// and a public host",
}
_TYPES: Final = List(
    child=Choice([event_type.value for event_type in EventType]),
    required=False,
    max_length=len(EventType),
    help_text="Empty for all",
)
_DESCRIPTION: Final = Text(
    max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True, help_text="For people"
)


class WebhookChanges(Body):
    """What changes of a webhook; the rest stays."""

    url = Text(required=False, **_URL)
    types = _TYPES
    description = _DESCRIPTION


class WebhookRequest(Body):
    """A new webhook: its address and the events it receives."""

    url = Text(**_URL)
    types = _TYPES
    description = _DESCRIPTION
    cursor = serializers.RegexField(
        "^[0-9]{1,15}$",
        required=False,
        help_text="The cursor to start after; by default, with the next event",
    )


class ResendRequest(Body):
    """Which dead letters are sent again: by default all that are not delivered yet."""

    given_up_since = Moment(required=False, help_text="Only those given up at this time or later")
    given_up_before = Moment(required=False, help_text="Only those given up before this time")


class SecretRequest(Body):
    """How long the previous secret remains valid."""

    overlap_hours = Integer(min_value=0, max_value=720, default=24)
