"""The page of a person, a new account, and the actions of an administrator."""

from collections.abc import Callable
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.account_status import status_of
from casino.access.audit import record_access
from casino.access.changes import close_account, roles_of
from casino.access.current_user import request_user
from casino.access.directory.accounts import hand_over, take_back
from casino.access.directory.leave import lock_person
from casino.access.lockout_by_account import failures_of
from casino.access.models import AccessRequest, DirectoryAccount
from casino.access.notices import notify_about
from casino.access.requests import AccessError, Kind, Outcome, OwnAccess, request_access
from casino.access.roles import role_label
from casino.backoffice.people.forms import DetailsForm, NewPersonForm, ReasonForm, RolesForm
from casino.backoffice.people.messages import access_error_message
from casino.backoffice.security.confirmation import (
    NotConfirmed,
    confirmation_context,
    require_confirmed,
)
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.form_data import text_of
from casino.backoffice.site.views import show
from compliance.signatures.sign_decision import number_signed
from compliance.trail.people import name_of

REQUEST: Final = "casino.request_access"
LOOK: Final = "auth.view_user"
CHANGE: Final = "auth.change_user"
_FORMS: Final = {Kind.ROLES: RolesForm}


def add_person(request: HttpRequest) -> HttpResponse:
    """The form of a new account; then its one-time password, or the first half."""
    form = NewPersonForm(_posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            require_confirmed(request, text_of(request, "code"))
        except NotConfirmed as error:
            form.add_error(None, str(error))
        else:
            person, outcome = _create(request, form)
            return show_outcome(request, person, outcome)
    context = {
        "title": _("Add a person"),
        "parent": _list(),
        "form": form,
        **confirmation_context(request),
    }
    return show(request, "backoffice/people/new.html", context)


def show_person(request: HttpRequest, person: int) -> HttpResponse:
    """A person: details, access and actions."""
    owner = get_object_or_404(User, pk=person)
    return _show_person(request, owner, DetailsForm(instance=owner))


def change_details(request: HttpRequest, person: int) -> HttpResponse:
    """Change the name or the e-mail address. The previous address is notified."""
    owner = get_object_or_404(User, pk=person)
    form = DetailsForm(_posted(request), instance=owner)
    before = {field: getattr(owner, field) for field in form.Meta.fields}
    if form.is_valid():
        try:
            require_confirmed(request, text_of(request, "code"))
        except NotConfirmed as error:
            form.add_error(None, str(error))
        else:
            _save_details(request, form, before)
            return redirect("person", owner.pk)
    return _show_person(request, owner, form)


def change_access(request: HttpRequest, person: int, kind: str) -> HttpResponse:
    """Request an access change, or execute it if one administrator is sufficient."""
    owner = get_object_or_404(User, pk=person)
    if kind not in set(Kind) - {Kind.CREATE}:
        raise Http404
    chosen = Kind(kind)
    answer: HttpResponse = redirect("person", owner.pk)
    with show_errors(request, AccessError, message=access_error_message):
        data = cleaned_data_of(_FORMS.get(chosen, ReasonForm)(request.POST))
        require_confirmed(request, text_of(request, "code"))
        outcome = request_access(
            request,
            owner,
            chosen,
            reason=data["reason"],
            roles=data.get("roles"),
            at=decided_at(request),
            actor=signing_actor(request),
        )
        answer = show_outcome(request, owner, outcome)
    return answer  # noqa: RET504  reassigned where no error was shown


def close(request: HttpRequest, person: int) -> HttpResponse:
    """Close the account immediately. One administrator is sufficient."""
    owner = get_object_or_404(User, pk=person)
    with show_errors(request, AccessError, message=access_error_message):
        require_confirmed(request, text_of(request, "code"))  # a wrong code must stay counted
        if owner == request_user(request):
            raise OwnAccess
        with transaction.atomic():
            close_account(request, owner)
        messages.success(request, _("The account was closed and all its sessions were ended."))
    return redirect("person", owner.pk)


def hand_to_directory(request: HttpRequest, person: int) -> HttpResponse:
    """Hand the account to the directory of the staff. One administrator is sufficient."""
    return _change_directory(request, person, hand_over, _("Account handed to the directory."))


def take_from_directory(request: HttpRequest, person: int) -> HttpResponse:
    """Take the account from the directory of the staff. One administrator is sufficient."""
    return _change_directory(request, person, take_back, _("Account taken from the directory."))


def show_outcome(request: HttpRequest, person: User, outcome: Outcome) -> HttpResponse:
    """The new one-time password, shown once; else the page of the person."""
    if outcome.is_pending:
        messages.success(request, _("Request submitted. Another administrator must approve it."))
    else:
        messages.success(request, _("Change completed and recorded."))
    if not outcome.password:
        return redirect("person", person.pk)
    context = {
        "title": _("One-time password of %(person)s") % {"person": name_of(person)},
        "parent": _list(),
        "person": person,
        "outcome": outcome,
        "is_half": "-" not in outcome.password,
    }
    return show(request, "backoffice/people/password.html", context)


def _change_directory(
    request: HttpRequest, person: int, change: Callable[[HttpRequest, User], None], done: str
) -> HttpResponse:
    owner = get_object_or_404(User, pk=person)
    with show_errors(request, AccessError, message=access_error_message):
        require_confirmed(request, text_of(request, "code"))
        if owner == request_user(request):
            raise OwnAccess
        with transaction.atomic():
            lock_person(owner.pk)
            change(request, owner)
        messages.success(request, done)
    return redirect("person", owner.pk)


def _create(request: HttpRequest, form: NewPersonForm) -> tuple[User, Outcome]:
    """A closed account without a password, until its creation is executed."""
    actor = signing_actor(request)
    with transaction.atomic():
        person: User = form.save(commit=False)
        person.pk = number_signed(User, "user:", actor)
        person.is_staff, person.is_active = True, False
        person.set_unusable_password()
        person.save(force_insert=True)
        data = form.cleaned_data
        details = {field: data[field] for field in ("username", *DetailsForm.Meta.fields)}
        record_access(request, "ACCOUNT_CREATED", person, {"after": details})
        outcome = request_access(
            request,
            person,
            Kind.CREATE,
            reason=data["reason"],
            roles=data["roles"],
            at=decided_at(request),
            actor=actor,
        )
    return person, outcome


def _save_details(request: HttpRequest, form: "ModelForm[User]", before: dict[str, Any]) -> None:
    if not form.has_changed():
        return
    with transaction.atomic():
        person = form.save()
        details = {
            "before": {field: before[field] for field in form.changed_data},
            "after": {field: getattr(person, field) for field in form.changed_data},
        }
        record_access(request, "ACCOUNT_CHANGED", person, details)
        actor = name_of(request_user(request)) or ""
        notify_about(
            person, "ACCOUNT_CHANGED", actor=actor, at=timezone.now(), former_email=before["email"]
        )
    messages.success(request, _("Changes saved."))


def _show_person(request: HttpRequest, owner: User, form: DetailsForm) -> HttpResponse:
    roles = roles_of(owner)
    kinds = Authenticator.objects.filter(user=owner).values_list("type", flat=True)
    requests = AccessRequest.objects.filter(person=owner).select_related("decision")
    context = {
        "title": name_of(owner),
        "parent": _list(),
        "owner": owner,
        "roles": [role_label(role) for role in roles],
        "factors": sorted(kinds),
        "status": status_of(owner),
        "directory": DirectoryAccount.objects.filter(person=owner).first(),
        "failures": failures_of(owner.get_username()),
        "pending": requests.filter(decision=None).select_related("requested_by").first(),
        "form": form,
        "roles_form": RolesForm(initial={"roles": roles}),
        "reason_form": ReasonForm(),
        "is_own": owner == request_user(request),
        "may_change": request.user.has_perm(CHANGE),
        **confirmation_context(request),
    }
    return show(request, "backoffice/people/person.html", context)


def _posted(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _list() -> dict[str, str]:
    return {"title": _("Users and roles"), "address": reverse("people")}
