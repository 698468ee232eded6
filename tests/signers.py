"""Persons with signing keys, for tests."""

from datetime import UTC, datetime
from typing import Final, NamedTuple

from compliance.signatures.manage_keys import approve_key, register_key, root_key
from compliance.signatures.models import SigningKey
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.actor import Actor

AT: Final = datetime(2026, 11, 21, 20, tzinfo=UTC)
HOST: Final = Actor("root on casino-1")


class Person(NamedTuple):
    """A person who signs what they decide."""

    actor: Actor
    key: SoftwareKey
    row: SigningKey


def registered(name: str, user_id: int, *, at: datetime = AT, is_software: bool = False) -> Person:
    """A person whose key waits for approval."""
    key = SoftwareKey.generate()
    actor = Actor(name, user_id, key)
    row = register_key(
        public=key.public,
        credential_id=key.credential_id,
        label="desk",
        is_software=is_software,
        at=at,
        actor=actor,
    )
    return Person(actor, key, row)


def rooted(name: str, user_id: int, *, at: datetime = AT, is_software: bool = False) -> Person:
    """A person whose key was approved on the host."""
    person = registered(name, user_id, at=at, is_software=is_software)
    root_key(key_id=person.row.id, at=at, actor=HOST)
    return person


def approved(name: str, user_id: int, *, by: Person, at: datetime = AT) -> Person:
    """A person whose key another one has approved; it signs after the decision delay."""
    person = registered(name, user_id, at=at)
    approve_key(key_id=person.row.id, note="seen in person", at=at, actor=by.actor)
    return person
