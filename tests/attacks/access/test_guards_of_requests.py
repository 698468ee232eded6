"""Each guard of requests about access is needed: without it an administrator gets further."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from casino.access import requests
from casino.access.models import AccessRequest
from casino.access.requests import (
    AlreadyDecided,
    AlreadyRequested,
    Kind,
    NothingToChange,
    OwnAccess,
    RolesApart,
    SamePerson,
    StaleAccessRequest,
    approve_access,
    reject_access,
    request_access,
)
from tests.attacks.access.test_forged_access import LOST, by, request_by, requested
from tests.attacks.guards import Refused, unguarded
from tests.casino.backoffice.people.people import somebody

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clerk(db: None) -> User:
    """A payments clerk and two administrators."""
    somebody("ada", "administrator")
    somebody("bruno", "administrator")
    return somebody("clerk", "payments")


def ask(kind: AccessRequest.Kind, *roles: str, about: str = "clerk") -> object:
    """Ada's request; the roles stay unless some are given."""
    person = User.objects.get(username=about)
    kept = roles or None
    return request_access(request_by("ada"), person, kind, reason=LOST, roles=kept, **by("ada"))


def two_requests() -> None:
    """A request while another one is pending."""
    ask(Kind.FACTORS)
    ask(Kind.PASSWORD)


def approved(change: Callable[[User, User], object], by_whom: str = "bruno") -> None:
    """Ada's request, approved after a change of Ada or of the clerk."""
    clerk = User.objects.get(username="clerk")
    row = requested(clerk)
    change(User.objects.get(username="ada"), clerk)
    approve_access(request_by(by_whom), row.pk, **by(by_whom))


def decided_twice() -> None:
    """Rejected, and approved afterwards."""

    def reject(_ada: User, _clerk: User) -> None:
        row = AccessRequest.objects.get()
        reject_access(request_by("bruno"), row.pk, note="no", **by("bruno"))

    approved(reject)


def closed(ada: User, _clerk: User) -> None:
    """Ada's account is closed."""
    User.objects.filter(pk=ada.pk).update(is_active=False)


def left(_ada: User, clerk: User) -> None:
    """The clerk's account is closed, perhaps by a directory, which may reopen it alone."""
    User.objects.filter(pk=clerk.pk).update(is_active=False)


def demoted(ada: User, _clerk: User) -> None:
    """Ada is no administrator any more."""
    ada.groups.clear()


def promoted(_ada: User, clerk: User) -> None:
    """The clerk has got another role meanwhile."""
    clerk.groups.add(User.objects.get(username="bruno").groups.get())


def renamed(ada: User, _clerk: User) -> None:
    """Bruno's account bears Ada's name, written otherwise."""
    User.objects.filter(pk=ada.pk).update(first_name="Ada", last_name="Riva")
    User.objects.filter(username="bruno").update(first_name="ADA", last_name="riva")


SAME: Final = (
    "any((is_same_person(name_of(other) or '', other.pk, actor) for other in"
    " (requester, row.person)))"
)
REFUSED: Final = (
    # The table takes no request about oneself either.
    Refused(
        requests._check,
        "person == request_user(request)",
        partial(ask, Kind.FACTORS, about="ada"),
        OwnAccess,
        IntegrityError,
    ),
    Refused(
        requests._check,
        "not are_kept_apart(after)",
        partial(ask, Kind.ROLES, "administrator", "payments"),
        RolesApart,
    ),
    Refused(
        requests._check,
        "is_new == person.is_active",
        partial(ask, Kind.REOPEN),
        NothingToChange,
    ),
    Refused(
        requests._check,
        "kind == Kind.ROLES and before == after",
        partial(ask, Kind.ROLES, "payments"),
        NothingToChange,
    ),
    Refused(
        requests._check,
        "AccessRequest.objects.filter(person=person, decision=None).exists()",
        two_requests,
        AlreadyRequested,
    ),
    Refused(requests._decide, SAME, partial(approved, renamed), SamePerson),
    # A request has one decision in its table.
    Refused(
        requests._decide,
        "AccessDecision.objects.filter(request=row).exists()",
        decided_twice,
        AlreadyDecided,
        IntegrityError,
    ),
    Refused(
        approve_access,
        "requester.is_active",
        partial(approved, closed),
        StaleAccessRequest,
        passing="True",
    ),
    Refused(
        approve_access,
        "ADMINISTRATOR in roles_of(requester)",
        partial(approved, demoted),
        StaleAccessRequest,
        passing="True",
    ),
    Refused(
        approve_access,
        "roles_of(row.person) != row.roles_before",
        partial(approved, promoted),
        StaleAccessRequest,
    ),
    Refused(
        approve_access,
        "not _is_open_as_requested(row)",
        partial(approved, left),
        StaleAccessRequest,
    ),
)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_is_refused(case: Refused) -> None:
    """For the reason that the guard gives."""
    case.is_refused()


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_without_its_guard_it_is_not(case: Refused, request: pytest.FixtureRequest) -> None:
    """It is stored or carried out, or only the table refuses it."""
    case.guard.is_needed(request)


def test_its_requester_does_not_approve_it() -> None:
    """By the same account."""
    with pytest.raises(SamePerson):
        approved(lambda _ada, _clerk: None, by_whom="ada")


def test_the_list_is_complete() -> None:
    """Each condition under which the service refuses something is in it."""
    assert unguarded(requests, (case.guard for case in REFUSED)) == set()
