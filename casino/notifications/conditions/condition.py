"""A condition, and whom it concerns."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q

COMPLIANCE = "compliance"


class Condition(NamedTuple):
    """Something that awaits people.

    ``key`` identifies it as long as it lasts; ``subject`` is its name, without amounts and
    customers; ``others`` are told if nobody acts in time.
    """

    key: str
    subject: str
    address: str
    people: Collection[User]
    others: Collection[User] = ()


class Snapshot:
    """The time of a look, and the people by permission, each read once."""

    def __init__(self, at: datetime) -> None:
        self.at = at
        self._people: dict[str, list[User]] = {}

    def people_with(self, permission: str, *, without: Collection[int] = ()) -> list[User]:
        """The active people whose roles have the permission, except some."""
        app, _dot, name = permission.partition(".")
        of_role = Q(
            groups__permissions__content_type__app_label=app, groups__permissions__codename=name
        )
        return [user for user in self._read(permission, of_role) if user.pk not in without]

    def compliance(self, *, without: Collection[int] = ()) -> list[User]:
        """The active people of compliance, except some."""
        people = self._read(COMPLIANCE, Q(groups__name=COMPLIANCE))
        return [person for person in people if person.pk not in without]

    def _read(self, name: str, condition: Q) -> list[User]:
        if name not in self._people:
            active = User.objects.filter(condition, is_active=True, is_superuser=False)
            self._people[name] = list(active.distinct().order_by("pk"))
        return self._people[name]
