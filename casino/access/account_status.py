"""The status of an account: missing requirements, and when its owner may decide."""

from datetime import datetime
from typing import Final, NamedTuple

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone

from casino.access.models import AccessDecision, AccessEvent
from casino.access.roles import MONEY_DECIDER_ROLES
from casino.access.second_factor import PASSKEY, PHONE

_Kind: Final = AccessEvent.Kind
_ONE_TIME_PASSWORD: Final = (_Kind.ACCOUNT_CREATED, _Kind.PASSWORD_RESET)
_DELAYS: Final = (
    _Kind.ACCOUNT_REOPENED,
    _Kind.ROLES_CHANGED,
    _Kind.PASSWORD_RESET,
    _Kind.FACTORS_RESET,
    _Kind.FIRST_FACTOR_ADDED,
)
_CACHE: Final = "_account_status"


class AccountStatus(NamedTuple):
    """The state of an account, as of one request."""

    password_expires_at: datetime | None
    """The end of a one-time password, which must be replaced; None for a password of one's own."""
    must_enrol: bool
    """The person has no second factor yet, which everybody needs."""
    decides_from: datetime | None
    """The end of the decision delay, until which the person may only view; None without one."""

    @property
    def must_change_password(self) -> bool:
        """Whether the password is a one-time password."""
        return self.password_expires_at is not None


def status_of(person: User) -> AccountStatus:
    """The account's status, read once for each instance."""
    status: AccountStatus | None = getattr(person, _CACHE, None)
    if status is None:
        status = _read(person)
        setattr(person, _CACHE, status)
    return status


def add_event(person: User, kind: AccessEvent.Kind) -> None:
    """Adds a change that determines the account's status."""
    AccessEvent.objects.create(person=person, kind=kind, at=timezone.now())


def add_first_factor_event(person: User) -> None:
    """Starts the decision delay of a first factor, except during installation."""
    if not is_being_installed():
        add_event(person, _Kind.FIRST_FACTOR_ADDED)


def is_being_installed() -> bool:
    """Whether no role that decides about money is given and no request was ever decided."""
    deciders = User.objects.filter(is_active=True, groups__name__in=MONEY_DECIDER_ROLES)
    return not (AccessDecision.objects.exists() or deciders.exists())


def _read(person: User) -> AccountStatus:
    passwords = _events(*_ONE_TIME_PASSWORD, _Kind.PASSWORD_CHANGED)
    factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=(PHONE, PASSKEY))
    row = (
        User.objects.filter(pk=person.pk)
        .annotate(
            password_event=Subquery(passwords.values("kind")[:1]),
            password_at=Subquery(passwords.values("at")[:1]),
            has_factor=Exists(factors),
            changed_at=Subquery(_events(*_DELAYS).values("at")[:1]),
        )
        .values_list("password_event", "password_at", "has_factor", "changed_at")
        .get()
    )
    password_event, password_at, has_factor, changed_at = row
    is_one_time = password_event in _ONE_TIME_PASSWORD
    return AccountStatus(
        password_at + settings.ONE_TIME_PASSWORD_LIFETIME if is_one_time else None,
        not has_factor,
        _end_of_delay(changed_at),
    )


def _events(*kinds: AccessEvent.Kind) -> "QuerySet[AccessEvent]":
    events: QuerySet[AccessEvent] = AccessEvent.objects.filter(
        person=OuterRef("pk"), kind__in=kinds
    ).order_by("-at", "-pk")
    return events


def _end_of_delay(changed_at: datetime | None) -> datetime | None:
    if changed_at is None:
        return None
    ends_at = changed_at + settings.DECISION_DELAY
    return ends_at if ends_at > timezone.now() else None
