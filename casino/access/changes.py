"""Changes of people's access, each with its audit record, decision delay and notices."""

from collections.abc import Collection
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import get_random_string

from casino.access.account_status import add_event
from casino.access.audit import acting_on, record_access
from casino.access.end_sessions import end_sessions_of
from casino.access.models import AccessEvent, DirectoryAccount
from casino.access.notices import notify_about
from casino.access.single_sign_on.identities import disconnect

_Kind: Final = AccessEvent.Kind
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike
_HALF: Final = 12  # letters, nearly 60 bits


def roles_of(person: User) -> list[str]:
    """The names of the person's roles, in order."""
    return sorted(person.groups.values_list("name", flat=True))


def password_half() -> str:
    """Half of a one-time password."""
    return get_random_string(_HALF, _LETTERS)


def record_and_notify(
    request: HttpRequest, action: str, person: User, details: dict[str, Any] | None = None
) -> None:
    """Records an action on a person's access, and notifies the person and compliance."""
    record_access(request, action, person, details)
    notify_about(person, action, actor=acting_on(person, request).name, at=timezone.now())


def change_roles(request: HttpRequest, person: User, after: Collection[str], **by: str) -> None:
    """Gives the person exactly these roles, and ends the person's sessions."""
    before = roles_of(person)
    if before == sorted(after):
        return
    person.groups.set(Group.objects.filter(name__in=after))
    add_event(person, _Kind.ROLES_CHANGED)
    end_sessions_of(request, person)
    details = {"before": before, "after": sorted(after), **by}
    record_and_notify(request, "ROLES_CHANGED", person, details)


def reset_password(request: HttpRequest, person: User, password: str, **by: str) -> None:
    """Sets a one-time password and ends the person's sessions.

    An identity of a provider opens the account as its password does, so it goes with it: nobody
    prepares an account by connecting their own before the account gets a role.
    """
    person.set_password(password)
    person.save(update_fields=["password"])
    if disconnect(person):
        record_access(request, "IDENTITY_DISCONNECTED", person)
    add_event(person, _Kind.PASSWORD_RESET)
    end_sessions_of(request, person)
    record_and_notify(request, "PASSWORD_RESET", person, dict(by))


def reset_factors(request: HttpRequest, person: User, **by: str) -> None:
    """Removes all second factors and ends all sessions."""
    removed = Authenticator.objects.filter(user=person)
    kinds = sorted(removed.values_list("type", flat=True))
    removed.delete()
    add_event(person, _Kind.FACTORS_RESET)
    end_sessions_of(request, person)
    record_and_notify(request, "FACTORS_RESET", person, {"removed": kinds, **by})


def open_account(request: HttpRequest, person: User, **by: str) -> None:
    """Reopens the account."""
    person.is_active = True
    person.save(update_fields=["is_active"])
    DirectoryAccount.objects.filter(person=person).update(closed_at=None)
    add_event(person, _Kind.ACCOUNT_REOPENED)
    record_and_notify(request, "ACCOUNT_REOPENED", person, dict(by))


def close_account(request: HttpRequest, person: User) -> None:
    """Closes the account and ends its sessions. One administrator is enough, or the directory."""
    person.is_active = False
    person.save(update_fields=["is_active"])
    DirectoryAccount.objects.filter(person=person).update(closed_at=None)
    end_sessions_of(request, person)
    record_and_notify(request, "ACCOUNT_CLOSED", person)
