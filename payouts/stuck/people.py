"""The people who may handle stuck work."""

from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from compliance.trail.actor import Actor

LOOK: Final = "payouts.view_stuckworkstep"
"""The permission to look at stuck work."""

HANDLE: Final = "payouts.handle_stuck_work"
"""The permission to assign, retry and resolve stuck work."""

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


def handlers() -> QuerySet[User]:
    """Everybody who may be given stuck work."""
    people: QuerySet[User] = User.objects.with_perm(HANDLE, backend=_BACKEND)
    return people.order_by("last_name", "first_name", "username")


def name_of(person: User | None) -> str | None:
    """The name under which a person stands in the trail; None for nobody."""
    return None if person is None else person.get_full_name() or person.get_username()


def actor_of(person: User) -> Actor:
    """The person as the trail names them."""
    return Actor(person.get_full_name() or person.get_username(), person.pk)
