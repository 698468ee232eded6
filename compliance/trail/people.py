"""The names of people in the audit trail."""

from django.contrib.auth.models import User

from compliance.trail.actor import Actor


def name_of(person: User | None) -> str | None:
    """The name of a person in the trail; None for None."""
    return None if person is None else person.get_full_name() or person.get_username()


def actor_of(person: User) -> Actor:
    """The actor for a person."""
    return Actor(person.get_full_name() or person.get_username(), person.pk)
