"""Webhooks that have stopped."""

from collections.abc import Iterable
from typing import Final

from django.urls import reverse

from casino.integrations.deliver_events import states_in_force
from casino.notifications.conditions.condition import Condition, Snapshot

_MOST: Final = 200


def stopped_webhooks(look: Snapshot) -> Iterable[Condition]:
    """Those of keys in force, told to those who manage keys."""
    stopped = states_in_force(look.at).filter(stopped_at__isnull=False)
    for state in stopped.select_related("webhook__key").order_by("stopped_at", "pk")[:_MOST]:
        yield Condition(
            f"webhook:{state.pk}:{state.stopped_at}",
            state.webhook.key.owner,
            reverse("webhook", args=[state.pk]),
            look.people_with("api.manage_keys"),
        )
