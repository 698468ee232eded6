"""A person's choice of channels and quiet hours."""

from collections.abc import Iterable, Mapping
from datetime import datetime, time
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from compliance.notifications.kinds import NotificationKind
from compliance.notifications.models import ChannelChoice, QuietHours
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entry


class Channels(NamedTuple):
    """How a person gets notifications of a kind, besides in Sabot."""

    by_mail: bool
    in_chat: bool


class Quiet(NamedTuple):
    """Quiet hours, in Rome."""

    begins_at: time
    ends_at: time
    lets_alarms_through: bool


def channels_of(person: User, kinds: Iterable[NotificationKind]) -> dict[str, Channels]:
    """The channels of these kinds by name: those that the person chose, or those of the kind."""
    rows = {row.kind: row for row in ChannelChoice.objects.filter(person=person)}
    chosen = ((kind.name, rows.get(kind.name, kind)) for kind in kinds)
    return {name: Channels(choice.by_mail, choice.in_chat) for name, choice in chosen}


def quiet_hours_of(person: User) -> Quiet | None:
    """The person's quiet hours; None for none."""
    row = QuietHours.objects.filter(person=person).first()
    return None if row is None else Quiet(row.begins_at, row.ends_at, row.lets_alarms_through)


def choose_notifications(
    *, person: User, channels: Mapping[str, Channels], quiet: Quiet | None, at: datetime
) -> None:
    """Stores the choice for these kinds, with an audit record."""
    with transaction.atomic():
        for kind, chosen in channels.items():
            ChannelChoice.objects.update_or_create(
                person=person, kind=kind, defaults=chosen._asdict()
            )
        if quiet is None:
            QuietHours.objects.filter(person=person).delete()
        else:
            QuietHours.objects.update_or_create(person=person, defaults=quiet._asdict())
        details = {
            "channels": {kind: list(chosen) for kind, chosen in channels.items()},
            "quiet_hours": None
            if quiet is None
            else [f"{quiet.begins_at:%H:%M}", f"{quiet.ends_at:%H:%M}", quiet.lets_alarms_through],
        }
        entry = Entry("NOTIFICATIONS_CHOSEN", f"user:{person.pk}", details)
        record_entry(entry, at=at, actor=actor_of(person))
