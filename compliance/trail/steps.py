"""Steps: an append-only chain of what was done about a record. The latest step gives its status.

A service that adds a step locks the record, checks that its latest step is the one that the person
saw, checks status and actor, and writes the step with its audit record in one transaction.
"""

from collections.abc import Collection
from datetime import datetime
from enum import Enum
from typing import Any, Protocol, TypeVar

from django.db.models import Model

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries

_Row = TypeVar("_Row", bound=Model)


class Step(Protocol):
    """What the steps of every kind of record have in common."""

    sequence: int
    action: str
    actor: str
    at: datetime


class StepError(Exception):
    """A step cannot be added. Nothing was written."""


class StaleState(StepError):
    """The record has changed since the caller read it."""

    def __init__(self, latest: Any = None, *, found: str = "another state") -> None:
        super().__init__(f"found {found}; needed the state that was read")
        self.latest = latest
        """The record's present state: its latest step, or the changed row."""


class WrongStatus(StepError):
    """The record's status does not allow the step."""

    def __init__(self, status: Enum, *, needed: Collection[str]) -> None:
        super().__init__(f"found {status.value}; needed {' or '.join(needed)}")
        self.status: Any = status
        self.needed = tuple(needed)


class PersonRequired(StepError):
    """The actor is a program; the step needs a person with an account."""


def require_latest(latest: Step, *, seen: int) -> None:
    """Raises StaleState unless ``seen`` is the sequence of the record's latest step."""
    if latest.sequence != seen:
        found = f"{latest.action} by {latest.actor} at {latest.at.isoformat()}"
        raise StaleState(latest, found=found)


def require_status(status: Enum, *, needed: Collection[Enum]) -> None:
    """Raises WrongStatus unless the status is one of those needed."""
    if status not in needed:
        raise WrongStatus(status, needed=[status.value for status in needed])


def require_person(actor: Actor) -> int:
    """Returns the actor's account. Raises PersonRequired for a program."""
    if actor.user_id is None:
        raise PersonRequired(f"actor: found {actor.name}; needed a person with an account")
    return actor.user_id


def create_step(
    model: type[_Row],
    record: Entry,
    *,
    at: datetime,
    actor: Actor,
    **columns: Any,
) -> _Row:
    """Writes a step and its audit record in the current transaction."""
    stamp = {"at": at, "actor": actor.name, "actor_user_id": actor.user_id}
    step = model._default_manager.create(**{**stamp, **columns})
    record_entries([record], at=at, actor=actor)
    return step
