"""/Groups: one for each role of DIRECTORY_ROLES. Directories change their members only."""

from typing import Final

from django.contrib.auth.models import User as Person
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from scim2_models import Context, ForbiddenException, InvalidValueException, NotFoundException

from casino.access.directory.groups import directory_groups
from casino.access.directory.leave import lock_directory
from casino.access.directory.memberships import (
    groups_of,
    join_group,
    leave_group,
    managed_people,
)
from casino.api.scim.bodies import group_in, patch_in
from casino.api.scim.queries import conditions_in, list_document, page_bounds
from casino.api.scim.resources import Group, scim_group
from casino.api.scim.views import OF_DIRECTORIES, ScimView

_FILTERS: Final = ("displayName", "id")


class GroupsView(ScimView):
    """The groups of the setting; no others can be made."""

    required_scopes = {"GET": OF_DIRECTORIES, "POST": OF_DIRECTORIES}

    def get(self, request: Request) -> HttpResponse:
        """The groups with their members."""
        conditions = conditions_in(request, Group, _FILTERS)
        name, key = conditions.get("displayName"), conditions.get("id")
        known = [
            role
            for role, group in directory_groups().items()
            if (name is None or name.casefold() == group.casefold()) and key in (None, role)
        ]
        start, count = page_bounds(request)
        found = []
        for role in known[start - 1 : start - 1 + count]:
            resource = resource_of(role, root=self.root)
            self.set_version(resource)
            found.append(self.dump(resource))
        return Response(list_document(found, total=len(known), start=start))

    def post(self, request: Request) -> HttpResponse:
        """Refused: the operator declares the groups."""
        group = group_in(request, context=Context.RESOURCE_CREATION_REQUEST)
        raise ForbiddenException(detail=_unknown(str(group.display_name)))


class GroupView(ScimView):
    """A group: read, its members replaced or changed; it cannot be deleted."""

    required_scopes = dict.fromkeys(("GET", "PUT", "PATCH", "DELETE"), OF_DIRECTORIES)

    def get(self, request: Request, key: str) -> HttpResponse:
        """The group."""
        return self.answer(resource_of(_role(key), root=self.root))

    def put(self, request: Request, key: str) -> HttpResponse:
        """The group with these members instead of its own."""
        before = self._locked(key)
        group = group_in(request, context=Context.RESOURCE_REPLACEMENT_REQUEST)
        group.replace(before)
        return self._change(key, before, group)

    def patch(self, request: Request, key: str) -> HttpResponse:
        """The group with members added or removed."""
        before = self._locked(key)
        group = before.model_copy(deep=True)
        patch_in(request, group)
        return self._change(key, before, group)

    def delete(self, request: Request, key: str) -> HttpResponse:
        """Refused: the operator declares the groups."""
        _role(key)
        text = _("id: found %(found)s, which DIRECTORY_ROLES declares; needed nothing to delete")
        raise ForbiddenException(detail=text % {"found": key})

    def _locked(self, key: str) -> Group:
        role = _role(key)
        lock_directory()
        group = resource_of(role, root=self.root)
        self.require_version(group)
        return group

    def _change(self, role: str, before: Group, after: Group) -> HttpResponse:
        """Removes first, so that a person can move from one group to another."""
        former, members = _keys(before), _keys(after)
        for key in sorted(former - members, key=int):
            leave_group(self.request._request, self.locked_person(key), role)
        for key in sorted(members - former):
            join_group(self.request._request, self._member(key), role)
        return self.answer(resource_of(role, root=self.root))

    def _member(self, key: str) -> Person:
        try:
            return self.locked_person(key)
        except NotFoundException as error:
            text = _("members.value: found %(found)s; needed ids of accounts of the directory")
            raise InvalidValueException(detail=text % {"found": key[:60]}) from error


def resource_of(role: str, *, root: str) -> Group:
    """The group of a role, with its members."""
    people = list(managed_people().order_by("pk"))
    groups = groups_of(people)
    members = [person for person in people if role in groups[person.pk]]
    return scim_group(role, directory_groups()[role], members, root=root)


def _role(key: str) -> str:
    if key not in directory_groups():
        raise NotFoundException(detail=_unknown(key))
    return key


def _keys(group: Group) -> set[str]:
    return {str(member.value) for member in group.members or []}


def _unknown(found: str) -> str:
    known = ", ".join(directory_groups().values()) or _("no group")
    text = _("group: found %(found)s; needed one that DIRECTORY_ROLES declares: %(known)s")
    return text % {"found": found[:60], "known": known}
