"""Request bodies of the webhook operations."""

from rest_framework import serializers

from casino.api.fields import Body, Choice, Integer, List, Text
from casino.integrations.add_webhook import LONGEST_DESCRIPTION
from casino.integrations.events.types import EventType
from casino.integrations.webhook_addresses import LONGEST


class WebhookRequest(Body):
    """A new webhook: its address and the events it receives."""

    url = Text(max_length=LONGEST, help_text="https:// and a public host")
    types = List(
        child=Choice([event_type.value for event_type in EventType]),
        required=False,
        max_length=len(EventType),
        help_text="Empty for all",
    )
    description = Text(
        max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True, help_text="For people"
    )
    cursor = serializers.RegexField(
        "^[0-9]{1,15}$",
        required=False,
        help_text="The cursor to start after; by default, with the next event",
    )


class SecretRequest(Body):
    """How long the previous secret remains valid."""

    overlap_hours = Integer(min_value=0, max_value=720, default=24)
