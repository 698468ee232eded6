"""/Users: the accounts that the directory manages."""

from typing import Final

from django.contrib.auth.models import User as Person
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from scim2_models import Context

from casino.access.directory.accounts import (
    change_for_directory,
    create_for_directory,
    delete_for_directory,
)
from casino.access.directory.memberships import groups_of, managed_people
from casino.api.scim.bodies import patch_in, user_in
from casino.api.scim.queries import conditions_in, list_document, page_bounds
from casino.api.scim.resources import User, details_in, scim_user
from casino.api.scim.views import OF_DIRECTORIES, ScimView, find_person, is_id
from casino.integrations.leaver_keys import revoke_keys_of_leaver
from compliance.trail.people import name_of

_FILTERS: Final = {"userName": "username__iexact", "externalId": "directory__external_id"}


class UsersView(ScimView):
    """The accounts, oldest first; a new one."""

    required_scopes = {"GET": OF_DIRECTORIES, "POST": OF_DIRECTORIES}

    def get(self, request: Request) -> HttpResponse:
        """A page of accounts."""
        conditions = conditions_in(request, User, (*_FILTERS, "id"))
        people = managed_people().order_by("pk")
        if (key := conditions.pop("id", None)) is not None:
            people = people.filter(pk=int(key)) if is_id(key) else people.none()
        people = people.filter(**{_FILTERS[name]: value for name, value in conditions.items()})
        start, count = page_bounds(request)
        page = list(people[start - 1 : start - 1 + count])
        groups = groups_of(page)
        resources = [scim_user(person, groups[person.pk], root=self.root) for person in page]
        for resource in resources:
            self.set_version(resource)
        found = [self.dump(resource) for resource in resources]
        return Response(list_document(found, total=people.count(), start=start))

    def post(self, request: Request) -> HttpResponse:
        """A new account, without a role and without a password."""
        user = user_in(request, is_active=True, context=Context.RESOURCE_CREATION_REQUEST)
        person = create_for_directory(request._request, str(user.user_name), details_in(user))
        return self.answer(self.resource(person), status=201)

    def resource(self, person: Person) -> User:
        """The account as it is now."""
        return resource_of(person, root=self.root)


class UserView(ScimView):
    """An account: read, replaced, changed in part, deleted."""

    required_scopes = dict.fromkeys(("GET", "PUT", "PATCH", "DELETE"), OF_DIRECTORIES)

    def get(self, request: Request, key: str) -> HttpResponse:
        """The account."""
        return self.answer(resource_of(find_person(key), root=self.root))

    def put(self, request: Request, key: str) -> HttpResponse:
        """The account with these details instead of its own."""
        person = self.locked_person(key)
        before = resource_of(person, root=self.root)
        self.require_version(before)
        context = Context.RESOURCE_REPLACEMENT_REQUEST
        user = user_in(request, is_active=person.is_active, context=context)
        user.replace(before)
        return self._change(person, user)

    def patch(self, request: Request, key: str) -> HttpResponse:
        """The account with some details changed."""
        person = self.locked_person(key)
        user = resource_of(person, root=self.root)
        self.require_version(user)
        patch_in(request, user)
        return self._change(person, user)

    def delete(self, request: Request, key: str) -> HttpResponse:
        """Closes the account, which the directory no longer manages."""
        person = self.locked_person(key)
        self.require_version(resource_of(person, root=self.root))
        delete_for_directory(request._request, person)
        self._end_keys(person)
        return HttpResponse(status=204)

    def _change(self, person: Person, user: User) -> HttpResponse:
        details = details_in(user)
        change_for_directory(self.request._request, person, details)
        if not details.is_active:
            self._end_keys(person)
        return self.answer(resource_of(find_person(str(person.pk)), root=self.root))

    def _end_keys(self, person: Person) -> None:
        revoke_keys_of_leaver(
            person.pk,
            name=name_of(person) or "",
            but=self.caller.key,
            at=timezone.now(),
            actor=self.caller.actor,
        )


def resource_of(person: Person, *, root: str) -> User:
    """The account with its groups."""
    return scim_user(person, groups_of([person])[person.pk], root=root)
