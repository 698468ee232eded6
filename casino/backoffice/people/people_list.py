"""The list of users: roles, second factor, signing key and last login of each."""

from typing import Final, NamedTuple

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.roles import ROLES, role_label
from casino.backoffice.site.views import show
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyStatus, status_of_key

_MOST: Final = 500
_BEST: Final = (KeyStatus.IN_FORCE, KeyStatus.DELAYED, KeyStatus.PENDING)
"""The statuses of a key that the list shows, the best first."""


class PersonRow(NamedTuple):
    """A user in the list."""

    person: User
    roles: list[str]
    factors: frozenset[str]
    key_badge: str
    """The badge of the user's signing key; empty without one."""


def show_people(request: HttpRequest) -> HttpResponse:
    """Open accounts by name, or all with ``which=all``; optionally of one role, or by name."""
    which, role = request.GET.get("which", ""), request.GET.get("role", "")
    sought = request.GET.get("q", "").replace("\0", "").strip()
    people = _found(which, role, sought)
    context = {
        "title": _("Users and roles"),
        "rows": _rows(people[:_MOST]),
        "is_cut": len(people) > _MOST,
        "role_choices": [(name, role_label(name)) for name in ROLES],
        "query": {"which": which, "role": role, "q": sought},
    }
    return show(request, "backoffice/people/list.html", context)


def _found(which: str, role: str, sought: str) -> list[User]:
    people: QuerySet[User] = User.objects.prefetch_related("groups")
    if which != "all":
        people = people.filter(is_active=True)
    if role in ROLES:
        people = people.filter(groups__name=role)
    for word in sought.split():
        people = people.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
        )
    return list(people.order_by("last_name", "first_name", "username")[: _MOST + 1])


def _rows(people: list[User]) -> list[PersonRow]:
    factors = _factors_of(people)
    badges = _key_badges_of(people)
    return [
        PersonRow(
            person,
            sorted(role_label(role.name) for role in person.groups.all()),
            frozenset(factors.get(person.pk, ())),
            badges.get(person.pk, ""),
        )
        for person in people
    ]


def _factors_of(people: list[User]) -> dict[int, set[str]]:
    factors: dict[int, set[str]] = {}
    rows = Authenticator.objects.filter(user__in=people).values_list("user_id", "type")
    for person, kind in rows:
        factors.setdefault(person, set()).add(kind)
    return factors


def _key_badges_of(people: list[User]) -> dict[int, str]:
    """The badge of the best of each user's keys that are neither rejected nor revoked."""
    now = timezone.now()
    keys = SigningKey.objects.filter(person_id__in=[person.pk for person in people])
    best: dict[int, KeyStatus] = {}
    for key in keys.prefetch_related("steps"):
        status = status_of_key(key, at=now)
        known = best.get(key.person_id)
        if status in _BEST and (known is None or _BEST.index(status) < _BEST.index(known)):
            best[key.person_id] = status
    return {person: f"signing-key-{status.replace('_', '-')}" for person, status in best.items()}
