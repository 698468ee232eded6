"""Accounts that the directory creates, changes and reopens, or that are handed to it."""

from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.audit import acting_on, record_access
from casino.access.changes import open_account, record_and_notify, reset_factors, roles_of
from casino.access.directory.errors import ClosedByOthers, NameTaken
from casino.access.directory.leave import close_for_directory
from casino.access.directory.memberships import withdraw_all
from casino.access.models import DirectoryAccount
from casino.access.notices import notify_about

_FIELDS: Final = ("first_name", "last_name", "email")


class Details(NamedTuple):
    """What the directory says about a person."""

    first_name: str
    last_name: str
    email: str
    external_id: str | None
    is_active: bool


def create_for_directory(request: HttpRequest, username: str, details: Details) -> User:
    """A new account without a role and without a password, in the current transaction.

    Raises NameTaken or ValidationError.
    """
    if User.objects.filter(username__iexact=username).exists():
        text = _(
            "userName: found %(found)s, which an account has; needed another one, or that an"
            " administrator hands this account to the directory"
        )
        raise NameTaken(text % {"found": username})
    person = User(username=username, is_staff=True, is_active=details.is_active)
    _set_fields(person, details)
    person.set_unusable_password()
    person.full_clean(exclude=["password"], validate_unique=False)
    _require_free_identifier(details.external_id, person)
    person.save(force_insert=True)
    now = timezone.now()
    DirectoryAccount.objects.create(
        person=person,
        external_id=details.external_id,
        since=now,
        closed_at=None if details.is_active else now,
    )
    after = {"username": username, **_values(person), "external_id": details.external_id}
    record_and_notify(request, "ACCOUNT_CREATED", person, {"after": after})
    return person


def change_for_directory(request: HttpRequest, person: User, details: Details) -> None:
    """Gives the account these details, in the current transaction; closes or reopens it.

    Raises NameTaken, ClosedByOthers, LastAdministrators or ValidationError.
    """
    row = DirectoryAccount.objects.select_for_update().get(person=person)
    before = {**_values(person), "external_id": row.external_id}
    _set_fields(person, details)
    person.full_clean(exclude=["password"], validate_unique=False)
    _require_free_identifier(details.external_id, person)
    after = {**_values(person), "external_id": details.external_id}
    if after != before:
        person.save(update_fields=_FIELDS)
        row.external_id = details.external_id
        row.save(update_fields=["external_id"])
        _record_change(request, person, before, after)
    if details.is_active and not person.is_active:
        _reopen(request, person, row)
    elif not details.is_active:
        close_for_directory(request, person)


def delete_for_directory(request: HttpRequest, person: User) -> None:
    """Closes the account, which the directory no longer manages. Raises LastAdministrators."""
    close_for_directory(request, person)
    _release(request, person)


def hand_over(request: HttpRequest, person: User) -> None:
    """Hands an account to the directory, in the current transaction; again, it changes nothing."""
    _row, is_new = DirectoryAccount.objects.get_or_create(
        person=person, defaults={"since": timezone.now()}
    )
    if is_new:
        record_and_notify(request, "DIRECTORY_ACCOUNT_ADDED", person)


def take_back(request: HttpRequest, person: User) -> None:
    """Takes an account from the directory, to which it is invisible from then on."""
    if DirectoryAccount.objects.filter(person=person).exists():
        _release(request, person)


def _release(request: HttpRequest, person: User) -> None:
    withdraw_all(request, person)
    DirectoryAccount.objects.filter(person=person).delete()
    record_and_notify(request, "DIRECTORY_ACCOUNT_RELEASED", person)


def _reopen(request: HttpRequest, person: User, row: DirectoryAccount) -> None:
    """Only what the directory closed itself, and what can do nothing.

    Former passwords and factors do not come back with the person: somebody else may have them.
    """
    if row.closed_at is None or roles_of(person):
        text = _(
            "active: found %(found)s, which an administrator closed; needed an administrator who"
            " reopens it on its page"
        )
        raise ClosedByOthers(text % {"found": person.get_username()})
    person.set_unusable_password()
    person.save(update_fields=["password"])
    open_account(request, person)
    reset_factors(request, person)


def _require_free_identifier(external_id: str | None, person: User) -> None:
    if external_id is None:
        return
    DirectoryAccount._meta.get_field("external_id").clean(external_id, None)
    others = DirectoryAccount.objects.filter(~Q(person_id=person.pk), external_id=external_id)
    if others.exists():
        text = _("externalId: found %(found)s, which another account has; needed another one")
        raise NameTaken(text % {"found": external_id})


def _set_fields(person: User, details: Details) -> None:
    for field in _FIELDS:
        setattr(person, field, getattr(details, field))


def _values(person: User) -> dict[str, Any]:
    return {field: getattr(person, field) for field in _FIELDS}


def _record_change(
    request: HttpRequest, person: User, before: dict[str, Any], after: dict[str, Any]
) -> None:
    changed = [field for field in after if after[field] != before[field]]
    details = {
        "before": {field: before[field] for field in changed},
        "after": {field: after[field] for field in changed},
    }
    record_access(request, "ACCOUNT_CHANGED", person, details)
    notify_about(
        person,
        "ACCOUNT_CHANGED",
        actor=acting_on(person, request).name,
        at=timezone.now(),
        former_email=before["email"],
    )
