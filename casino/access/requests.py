"""Requests to change a person's access: made by one administrator, decided by another.

One administrator suffices for a change that concerns no deciding role.
"""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from allauth.mfa.utils import decrypt, encrypt
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from casino.access.changes import (
    change_roles,
    is_powerful,
    open_account,
    password_half,
    record_and_notify,
    reset_factors,
    reset_password,
    roles_of,
)
from casino.access.current_user import request_user
from casino.access.models import AccessDecision, AccessRequest
from casino.access.roles import ADMINISTRATOR, are_kept_apart
from compliance.trail.people import name_of

Kind: Final = AccessRequest.Kind


class AccessError(Exception):
    """The change of access cannot be requested, decided or executed."""


class OwnAccess(AccessError):
    """A user cannot change their own access."""


class SamePerson(AccessError):
    """The requester or the person concerned cannot decide the request."""


class AlreadyRequested(AccessError):
    """Another request about this person is pending."""


class AlreadyDecided(AccessError):
    """The request was decided before."""


class StaleAccessRequest(AccessError):
    """The access of the person or of the requester has changed since the request."""


class RolesApart(AccessError):
    """An administrator cannot also decide about money."""


class NothingToChange(AccessError):
    """The request changes nothing."""


class Outcome(NamedTuple):
    """The result of a request; ``password`` is shown once, half of it where two people decide."""

    is_pending: bool
    password: str = ""


def request_access(
    request: HttpRequest,
    person: User,
    kind: AccessRequest.Kind,
    *,
    reason: str,
    roles: Collection[str] | None = None,
) -> Outcome:
    """Requests a change, or executes it at once if no deciding role is concerned.

    ``roles`` are the person's roles afterwards; None keeps them. Raises AccessError.
    """
    with transaction.atomic():
        person = User.objects.select_for_update().get(pk=person.pk)
        before = roles_of(person)
        after = before if roles is None else sorted(roles)
        _check(request, person, kind, before, after)
        row = AccessRequest(
            kind=kind,
            person=person,
            roles_before=before,
            roles_after=after,
            reason=reason,
            requested_by=request_user(request),
            requested_at=timezone.now(),
        )
        if is_powerful(before) or is_powerful(after):
            return _store(request, row)
        password = password_half() + "-" + password_half() if _renews_password(row) else ""
        _execute(request, row, password)
        return Outcome(is_pending=False, password=password)


def approve_access(request: HttpRequest, key: int, *, note: str = "") -> Outcome:
    """Approves a request as a second administrator, and executes it. Raises AccessError."""
    with transaction.atomic():
        row = _decide(request, key, is_approved=True, note=note)
        requester = User.objects.get(pk=row.requested_by_id)
        is_current = roles_of(row.person) == row.roles_before
        if not (requester.is_active and ADMINISTRATOR in roles_of(requester) and is_current):
            raise StaleAccessRequest
        half = password_half() if row.sealed_half else ""
        password = f"{decrypt(row.sealed_half)}-{half}" if half else ""
        _execute(request, row, password, requested_by=name_of(requester) or "")
        return Outcome(is_pending=False, password=half)


def reject_access(request: HttpRequest, key: int, *, note: str) -> None:
    """Rejects a request as a second administrator. Raises AccessError."""
    with transaction.atomic():
        _decide(request, key, is_approved=False, note=note)


def _check(
    request: HttpRequest,
    person: User,
    kind: AccessRequest.Kind,
    before: Collection[str],
    after: Collection[str],
) -> None:
    if person == request_user(request):
        raise OwnAccess
    if not are_kept_apart(after):
        raise RolesApart
    is_new = kind in {Kind.CREATE, Kind.REOPEN}
    if is_new == person.is_active or (kind == Kind.ROLES and before == after):
        raise NothingToChange
    if AccessRequest.objects.filter(person=person, decision=None).exists():
        raise AlreadyRequested


def _store(request: HttpRequest, row: AccessRequest) -> Outcome:
    half = password_half() if _renews_password(row) else ""
    row.sealed_half = encrypt(half) if half else ""
    row.save(force_insert=True)
    record_and_notify(request, "ACCESS_REQUESTED", row.person, _details(row))
    return Outcome(is_pending=True, password=half)


def _decide(request: HttpRequest, key: int, *, is_approved: bool, note: str) -> AccessRequest:
    """Adds the decision. Locks the person's row, because requests are append-only."""
    decider = request_user(request)
    row = AccessRequest.objects.get(pk=key)
    row.person = User.objects.select_for_update().get(pk=row.person_id)
    if decider.pk in {row.requested_by_id, row.person_id}:
        raise SamePerson
    if AccessDecision.objects.filter(request=row).exists():
        raise AlreadyDecided
    AccessDecision.objects.create(
        request=row,
        is_approved=is_approved,
        note=note,
        decided_by=decider,
        decided_at=timezone.now(),
    )
    action = "ACCESS_APPROVED" if is_approved else "ACCESS_REJECTED"
    details = {**_details(row), "requested_by": name_of(row.requested_by), "note": note}
    record_and_notify(request, action, row.person, details)
    return row


def _execute(request: HttpRequest, row: AccessRequest, password: str, **by: str) -> None:
    """A person who gains a deciding role gets new credentials; others may know the old ones."""
    person = row.person
    if row.kind in {Kind.CREATE, Kind.REOPEN}:
        open_account(request, person, **by)
    change_roles(request, person, row.roles_after, **by)
    if password:
        reset_password(request, person, password, **by)
    if row.kind == Kind.FACTORS or (password and row.kind != Kind.PASSWORD):
        reset_factors(request, person, **by)


def _renews_password(row: AccessRequest) -> bool:
    gets_power = is_powerful(row.roles_after) and not is_powerful(row.roles_before)
    return gets_power or row.kind in {Kind.CREATE, Kind.REOPEN, Kind.PASSWORD}


def _details(row: AccessRequest) -> dict[str, Any]:
    return {
        "request": row.pk,
        "kind": row.kind,
        "roles_before": row.roles_before,
        "roles_after": row.roles_after,
        "reason": row.reason,
    }
