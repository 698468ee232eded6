"""A look at all watches: what they have seen is kept, and new alarms open their cases."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction

from compliance.monitoring.evidence import alarms
from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook
from compliance.monitoring.seen import Key, Seen, seen_until
from compliance.monitoring.services.open_alarm import open_alarm
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.standing import open_cases
from rounds.services.intake import lock_names

RATE: Final = 0.05
"""Of all alarms at most this share is false."""


class LookedFurther(Exception):
    """A look at an earlier day than one before: its alarms would be of yesterday."""

    def __init__(self, day: date, *, latest: date) -> None:
        super().__init__(f"found day {day}; needed {latest} or later, where the last look ended")


def watch_tables(*, last_day: date, at: datetime, actor: Actor) -> Look:
    """Looks at all that was counted until this day, keeps it, and opens a case a new alarm.

    All of it is one transaction; looks wait for each other. Raises LookedFurther, or what
    ``open_case`` raises: then nothing was written.
    """
    with transaction.atomic():
        lock_names(["monitoring:look"])
        latest = Look.objects.order_by("-pk").first()
        if latest is not None and last_day < latest.last_day:
            raise LookedFurther(last_day, latest=latest.last_day)
        look = Look.objects.create(last_day=last_day, at=at, actor=actor.name)
        seen = seen_until(last_day)
        watches = _watches(seen)
        evidence = {
            str(watches[key].pk): one.log_evidence
            for key, one in seen.items()
            if one.log_evidence is not None
        }
        named = alarms(evidence, rate=RATE)
        new = [key for key in seen if str(watches[key].pk) in named and _is_new(watches[key])]
        WatchLook.objects.bulk_create(
            _row(look, watches[key], one, in_alarm=str(watches[key].pk) in named)
            for key, one in seen.items()
        )
        for key in new:
            open_alarm(look, watches[key], seen[key], at=at, actor=actor)
        details = {"day": str(last_day), "watches": len(seen), "in_alarm": len(named)}
        entry = Entry("TABLES_WATCHED", f"look:{look.pk}", details)
        record_entries([entry], at=at, actor=actor)
    return look


def watch_nightly(*, last_day: date, at: datetime, actor: Actor, every: timedelta) -> Look | None:
    """A look, unless the same actor took one so short a time ago."""
    with transaction.atomic():
        lock_names(["monitoring:look"])
        if Look.objects.filter(actor=actor.name, at__gt=at - every).exists():
            return None
        return watch_tables(last_day=last_day, at=at, actor=actor)


def _watches(seen: Mapping[Key, Seen]) -> dict[Key, Watch]:
    """The watch of each key; those that were never seen before are added."""
    known = {_key_of(watch): watch for watch in Watch.objects.select_related("table")}
    added = Watch.objects.bulk_create(
        Watch(what=key.what, rules=key.rules, kind=key.kind, table_id=key.table_id)
        for key in seen
        if key not in known
    )
    return known | {_key_of(watch): watch for watch in added}


def _key_of(watch: Watch) -> Key:
    return Key(watch.what, watch.rules, watch.kind, watch.table_id)


def _is_new(watch: Watch) -> bool:
    """Whether it was not in alarm at the look before, and no case of it is open.

    Evidence stays after a case has ended; only one that came to rest in between is new again.
    """
    before = watch.looks.order_by("-look_id").first()
    if before is not None and before.in_alarm:
        return False
    cases = WatchAlarm.objects.filter(watch=watch).values("case_id")
    return not open_cases().filter(pk__in=cases).exists()


def _row(look: Look, watch: Watch, seen: Seen, *, in_alarm: bool) -> WatchLook:
    return WatchLook(
        look=look,
        watch=watch,
        rounds=seen.rounds,
        log_evidence=seen.log_evidence,
        leans=seen.leans,
        returned=seen.returned,
        z=seen.z,
        certified=seen.held_to.certified,
        variance=seen.held_to.variance,
        in_alarm=in_alarm,
    )
