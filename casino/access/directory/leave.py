"""Taking access away, which a directory may do at once and alone.

It never closes or reduces one of the last two active administrators: nobody could open an account
any more, or approve what the other one requests.
"""

from collections.abc import Collection
from typing import Final

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.audit import record_access
from casino.access.changes import change_roles, close_account, record_and_notify, roles_of
from casino.access.directory.errors import LastAdministrators
from casino.access.models import DirectoryAccount
from casino.access.roles import ADMINISTRATOR
from compliance.storage.advisory_locks import lock_names

_FEWEST: Final = 2
"""Active administrators that the directory leaves."""


def lock_directory() -> None:
    """Lets one request of a directory at a time change something, until its transaction ends.

    Two at once would otherwise close two of three administrators.
    """
    lock_names(["changes of a directory"])


def lock_person(account: int) -> None:
    """Locks an account as well, because an administrator may just approve its roles."""
    lock_directory()
    User.objects.select_for_update().get(pk=account)


def reduce_roles(request: HttpRequest, person: User, roles: Collection[str]) -> None:
    """Removes these roles and ends the person's sessions, in the current transaction.

    The record says what remains, so that ``verify_roles`` accepts it, and a record that adds a role
    proves nothing. Raises LastAdministrators.
    """
    before = roles_of(person)
    after = [role for role in before if role not in roles]
    if after == before:
        return
    _require_other_administrators(person, before, after)
    details = {"roles_before": before, "roles_after": after}
    record_access(request, "ACCESS_REDUCED", person, details)
    change_roles(request, person, after)


def close_for_directory(request: HttpRequest, person: User) -> None:
    """Closes the account, without roles and sessions, in the current transaction.

    So whoever reopens it opens an account that can do nothing. Raises LastAdministrators.
    """
    reduce_roles(request, person, roles_of(person))
    if person.is_active:
        close_account(request, person)
        row = DirectoryAccount.objects.filter(person=person)
        row.update(closed_at=timezone.now())


def record_refusal(request: HttpRequest, error: LastAdministrators) -> None:
    """Records that the directory tried, and notifies; what it asked for was rolled back."""
    details = {"needed": str(error)}
    record_and_notify(request, "DIRECTORY_REFUSED", error.person, details)


def _require_other_administrators(person: User, before: list[str], after: list[str]) -> None:
    if ADMINISTRATOR not in before or ADMINISTRATOR in after:
        return
    active = User.objects.filter(is_active=True, groups__name=ADMINISTRATOR)
    if person.is_active and (count := active.count()) <= _FEWEST:
        text = _(
            "%(person)s: found one of %(count)d active administrators; needed at least two others."
            " Administrators close this account on its page"
        )
        values = {"person": person.get_username(), "count": count}
        raise LastAdministrators(text % values, person)
