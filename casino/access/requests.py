"""Requests to change a person's access: made by one administrator, decided by another.

One administrator suffices for a change that concerns no deciding role. Each signs what they request
or decide; an unsigned request cannot be approved.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from allauth.mfa.utils import decrypt, encrypt
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from casino.access.changes import (
    change_roles,
    open_account,
    password_half,
    reset_factors,
    reset_password,
    roles_of,
)
from casino.access.current_user import request_user
from casino.access.models import AccessDecision, AccessRequest
from casino.access.notices import notify_about
from casino.access.roles import ADMINISTRATOR, are_kept_apart, is_powerful
from casino.access.verification.signed_access import row_of_request
from compliance.signatures.sign_decision import record_decision
from compliance.signatures.signature_verifier import UnsignedDecision
from compliance.signatures.verify_rows import require_signed
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.people import name_of
from compliance.trail.record import Entry

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


class RequestNotSigned(AccessError):
    """The request is not signed by the requester it names, or was changed after signing."""


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
    at: datetime,
    actor: Actor,
) -> Outcome:
    """Requests a change, or executes it at once if no deciding role is concerned.

    ``roles`` are the person's roles afterwards; None keeps them. ``actor`` is the user of the
    request, who signs. Raises AccessError, or as ``record_decision``.
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
            requested_at=at,
        )
        if is_powerful(before) or is_powerful(after):
            return _store(row, actor)
        record_decision(row.entry._replace(action="ACCESS_CHANGED"), at=at, actor=actor)
        password = password_half() + "-" + password_half() if _renews_password(row) else ""
        _execute(request, row, password)
        return Outcome(is_pending=False, password=password)


def approve_access(
    request: HttpRequest, key: int, *, note: str = "", at: datetime, actor: Actor
) -> Outcome:
    """Approves a request as a second administrator, and executes it. Raises as the request."""
    with transaction.atomic():
        row = _decide(request, key, is_approved=True, note=note, at=at, actor=actor)
        requester = User.objects.get(pk=row.requested_by_id)
        if not (requester.is_active and ADMINISTRATOR in roles_of(requester)):
            raise StaleAccessRequest
        if roles_of(row.person) != row.roles_before or not _is_open_as_requested(row):
            raise StaleAccessRequest
        half = password_half() if row.sealed_half else ""
        password = f"{decrypt(row.sealed_half)}-{half}" if half else ""
        _execute(request, row, password, requested_by=name_of(requester) or "")
        return Outcome(is_pending=False, password=half)


def reject_access(request: HttpRequest, key: int, *, note: str, at: datetime, actor: Actor) -> None:
    """Rejects a request as a second administrator. Raises as the request."""
    with transaction.atomic():
        _decide(request, key, is_approved=False, note=note, at=at, actor=actor)


def _is_open_as_requested(row: AccessRequest) -> bool:
    """Whether the account was not closed since: the directory reopens what it closed, alone."""
    return row.person.is_active or row.kind in {Kind.CREATE, Kind.REOPEN}


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


def _store(row: AccessRequest, actor: Actor) -> Outcome:
    half = password_half() if _renews_password(row) else ""
    row.sealed_half = encrypt(half) if half else ""
    row.save(force_insert=True)
    _record_and_notify(row.entry, row.person, at=row.requested_at, actor=actor)
    return Outcome(is_pending=True, password=half)


def _decide(
    request: HttpRequest, key: int, *, is_approved: bool, note: str, at: datetime, actor: Actor
) -> AccessRequest:
    """Adds the decision. Locks the person's row, because requests are append-only."""
    decider = request_user(request)
    row = AccessRequest.objects.get(pk=key)
    row.person = User.objects.select_for_update().get(pk=row.person_id)
    requester = User.objects.get(pk=row.requested_by_id)
    if any(
        is_same_person(name_of(other) or "", other.pk, actor) for other in (requester, row.person)
    ):
        raise SamePerson
    if AccessDecision.objects.filter(request=row).exists():
        raise AlreadyDecided
    if is_approved:
        _require_signed(row)
    decision = AccessDecision.objects.create(
        request=row,
        is_approved=is_approved,
        note=note,
        decided_by=decider,
        decided_at=at,
    )
    _record_and_notify(decision.entry, row.person, at=at, actor=actor)
    return row


def _require_signed(row: AccessRequest) -> None:
    try:
        require_signed(row_of_request(row))
    except UnsignedDecision as error:
        raise RequestNotSigned from error


def _record_and_notify(entry: Entry, person: User, *, at: datetime, actor: Actor) -> None:
    record_decision(entry, at=at, actor=actor)
    notify_about(person, entry.action, actor=actor.name, at=at)


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
