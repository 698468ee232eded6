"""Evaluates all watches, stores the result, and opens a case for each new alarm."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction

from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook
from compliance.monitoring.observations import Key, Observation, observations_until
from compliance.monitoring.services.open_alarm import open_alarm
from compliance.monitoring.statistics.evidence import alarms
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.status import open_cases

RATE: Final = 0.05
"""Upper bound of the false discovery rate of alarms."""


class LookOutOfOrder(Exception):
    """The requested day is before the day of the latest look."""

    def __init__(self, day: date, *, latest: date) -> None:
        super().__init__(
            f"found day {day}; needed {latest} or later, the day of the last evaluation"
        )


def watch_tables(*, last_day: date, at: datetime, actor: Actor) -> Look:
    """Evaluates all watches up to a day, and opens a case for each new alarm.

    Runs in one transaction; concurrent looks wait for each other. Raises LookOutOfOrder and the
    errors of ``open_case``.
    """
    with transaction.atomic():
        lock_names(["monitoring:look"])
        latest = Look.objects.order_by("-pk").first()
        if latest is not None and last_day < latest.last_day:
            raise LookOutOfOrder(last_day, latest=latest.last_day)
        look = Look.objects.create(last_day=last_day, at=at, actor=actor.name)
        observations = observations_until(last_day)
        watches = _watches(observations)
        evidence = {
            str(watches[key].pk): observation.log_evidence
            for key, observation in observations.items()
            if observation.log_evidence is not None
        }
        named = alarms(evidence, rate=RATE)
        new = [
            key for key in observations if str(watches[key].pk) in named and _is_new(watches[key])
        ]
        WatchLook.objects.bulk_create(
            _row(look, watches[key], observation, in_alarm=str(watches[key].pk) in named)
            for key, observation in observations.items()
        )
        for key in new:
            open_alarm(look, watches[key], observations[key], at=at, actor=actor)
        details = {"day": str(last_day), "watches": len(observations), "in_alarm": len(named)}
        entry = Entry("TABLES_WATCHED", f"look:{look.pk}", details)
        record_entries([entry], at=at, actor=actor)
    return look


def watch_nightly(*, last_day: date, at: datetime, actor: Actor, every: timedelta) -> Look | None:
    """Runs a look unless the same actor ran one within ``every``; returns None then."""
    with transaction.atomic():
        lock_names(["monitoring:look"])
        if Look.objects.filter(actor=actor.name, at__gt=at - every).exists():
            return None
        return watch_tables(last_day=last_day, at=at, actor=actor)


def _watches(observations: Mapping[Key, Observation]) -> dict[Key, Watch]:
    """The watch of each key; new ones are created."""
    known = {_key_of(watch): watch for watch in Watch.objects.select_related("table")}
    added = Watch.objects.bulk_create(
        Watch(what=key.what, rules=key.rules, kind=key.kind, table_id=key.table_id)
        for key in observations
        if key not in known
    )
    return known | {_key_of(watch): watch for watch in added}


def _key_of(watch: Watch) -> Key:
    return Key(watch.what, watch.rules, watch.kind, watch.table_id)


def _is_new(watch: Watch) -> bool:
    """Whether the alarm is new: not in alarm at the last look, and without an open case.

    Evidence persists after a case is closed; it has to fall below the threshold in between.
    """
    before = watch.looks.order_by("-look_id").first()
    if before is not None and before.in_alarm:
        return False
    cases = WatchAlarm.objects.filter(watch=watch).values("case_id")
    return not open_cases().filter(pk__in=cases).exists()


def _row(look: Look, watch: Watch, observation: Observation, *, in_alarm: bool) -> WatchLook:
    return WatchLook(
        look=look,
        watch=watch,
        rounds=observation.rounds,
        log_evidence=observation.log_evidence,
        leans=observation.leans,
        returned=observation.returned,
        z=observation.z,
        certified=observation.expected.certified,
        variance=observation.expected.variance,
        in_alarm=in_alarm,
    )
