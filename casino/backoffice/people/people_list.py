"""The list of users: roles, second factor, signing key and last login of each."""

from typing import Final, NamedTuple

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from casino.access.roles import ROLES, role_label
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, text_filter
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.site.badges import badge_label
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyStatus, status_of_key
from compliance.trail.people import name_of

_BEST: Final = (KeyStatus.IN_FORCE, KeyStatus.DELAYED, KeyStatus.PENDING)
"""The statuses of a key that the list shows, the best first."""


class PersonRow(NamedTuple):
    """A user in the list."""

    person: User
    roles: list[str]
    factors: frozenset[str]
    key_badge: str
    """The badge of the user's signing key; empty without one."""

    @property
    def badge(self) -> str:
        """The badge of the account."""
        return "account-open" if self.person.is_active else "account-closed"

    @property
    def managed(self) -> str:
        """That the directory manages the account; empty if it does not."""
        return gettext("managed by the directory") if hasattr(self.person, "directory") else ""


def show_people(request: HttpRequest) -> HttpResponse:
    """Open accounts by name, or all with ``which=all``."""
    people: QuerySet[User] = User.objects.select_related("directory")
    people = people.prefetch_related("groups").annotate(
        listed_name=Concat("last_name", Value(" "), "first_name", Value(" "), "username")
    )
    if request.GET.get("which") != "all":
        people = people.filter(is_active=True)
    context = {"title": gettext("Users and roles")}
    template = "backoffice/people/list.html"
    return show_list(request, LIST, people, template, context, lines_of=_rows)


def _named(people: QuerySet[User], text: str) -> QuerySet[User]:
    for word in text.split():
        people = people.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
        )
    return people


LIST: Final = ListSpec(
    name="people",
    filters=(
        text_filter("q", _("Name or e-mail address"), _named),
        choice_filter(
            "role",
            _("Role"),
            lambda: [(name, role_label(name)) for name in ROLES],
            lambda rows, value: rows.filter(groups__name=value),
        ),
        choice_filter(
            "which",
            pgettext_lazy("users", "Accounts"),
            (("all", _("All")),),
            empty=pgettext_lazy("accounts", "Open"),
        ),
    ),
    columns=(
        Column("name", _("Name"), lambda row: name_of(row.person), sort="listed_name"),
        Column("roles", _("Roles"), lambda row: ", ".join(row.roles)),
        Column(
            "account",
            pgettext_lazy("users", "Account"),
            lambda row: ", ".join(filter(None, (badge_label(row.badge), row.managed))),
        ),
        Column("factors", _("Second factor"), lambda row: ", ".join(sorted(row.factors))),
        Column(
            "key",
            _("Signing key"),
            lambda row: badge_label(row.key_badge) if row.key_badge else "",
        ),
        Column(
            "login", _("Last login"), lambda row: row.person.last_login, Kind.MOMENT, "last_login"
        ),
    ),
    sort="name",
)


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
