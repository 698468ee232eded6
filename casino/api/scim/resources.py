"""The resources of SCIM: what Sabot keeps of a person and of a group, and what it supports.

Directories send more than that, such as titles and telephone numbers; it is ignored.
"""

from typing import Annotated, Any, ClassVar, Final

from django.contrib.auth.models import User as Person
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    ETag,
    ExtensibleStringEnum,
    Filter,
    GroupMember,
    GroupMembership,
    Meta,
    Mutability,
    Pagination,
    Patch,
    Reference,
    Required,
    Resource,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

from casino.access.directory.accounts import Details
from casino.access.directory.groups import directory_groups

ROOT: Final = "/scim/v2"
MOST_RESULTS: Final = 200
"""Resources on a page."""


class Name(ComplexAttribute):
    """The name of a person."""

    family_name: str | None = None
    given_name: str | None = None


class WorkEmail(ComplexAttribute):
    """The address to which Sabot sends notices; the first one, or the primary one."""

    class Type(ExtensibleStringEnum):
        """There is one address."""

        work = "work"

    value: Annotated[str | None, Required.true] = None
    type: Type | None = None


class User(Resource[Any]):
    """An account."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true, Mutability.immutable] = None
    """The name to log in with, which the audit log refers to: it never changes."""
    external_id: Annotated[str | None, Uniqueness.server, CaseExact.true] = None
    name: Name | None = None
    active: Annotated[bool | None, Required.true] = None
    """Without it a new account is active, and another one stays as it is."""
    emails: Annotated[list[WorkEmail] | None, Required.true] = None
    groups: Annotated[list[GroupMembership] | None, Mutability.read_only] = None

    Name: ClassVar[type[ComplexAttribute]] = Name
    Emails: ClassVar[type[ComplexAttribute]] = WorkEmail
    Groups: ClassVar[type[ComplexAttribute]] = GroupMembership


class Group(Resource[Any]):
    """A group whose members ask for a role."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Required.true, Mutability.immutable] = None
    members: list[GroupMember] | None = None

    Members: ClassVar[type[ComplexAttribute]] = GroupMember


POLICY: Final = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)
"""What directories such as Entra ID send besides what the specification allows."""

CONFIG: Final = ServiceProviderConfig(
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=MOST_RESULTS),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=False),
    etag=ETag(supported=True),
    pagination=Pagination(
        cursor=False,
        index=True,
        default_pagination_method=Pagination.DefaultPaginationMethod.index,
        default_page_size=MOST_RESULTS,
        max_page_size=MOST_RESULTS,
    ),
    authentication_schemes=[
        AuthenticationScheme(
            type=AuthenticationScheme.Type.oauthbearertoken,
            name="API key",
            description="A key of Sabot with the scope directory:manage",
            primary=True,
        )
    ],
)
PROVIDER: Final = ScimProvider(models=[User, Group], config=CONFIG, policy=POLICY)


def scim_user(person: Person, roles: set[str], *, root: str) -> User:
    """An account that the directory manages, in the groups of these roles."""
    key, known = str(person.pk), directory_groups()
    return User(
        id=key,
        external_id=person.directory.external_id,
        user_name=person.get_username(),
        name=_name(person),
        active=person.is_active,
        emails=[WorkEmail(value=person.email, type=WorkEmail.Type.work)],
        groups=[
            GroupMembership(
                value=role,
                ref=Reference(f"{root}/Groups/{role}"),
                display=known[role],
                type="direct",
            )
            for role in sorted(roles)
        ]
        or None,
        meta=Meta(resource_type="User", created=person.date_joined, location=f"{root}/Users/{key}"),
    )


def scim_group(role: str, group: str, members: list[Person], *, root: str) -> Group:
    """The group of a role, with its members."""
    return Group(
        id=role,
        display_name=group,
        members=[
            GroupMember(
                value=str(person.pk),
                ref=Reference(f"{root}/Users/{person.pk}"),
                type="User",
                display=person.get_username(),
            )
            for person in members
        ]
        or None,
        meta=Meta(resource_type="Group", location=f"{root}/Groups/{role}"),
    )


def details_in(user: User) -> Details:
    """What a resource says about a person; an account is active unless it says otherwise."""
    emails = user.emails or []
    return Details(
        first_name=(user.name and user.name.given_name) or "",
        last_name=(user.name and user.name.family_name) or "",
        email=next((email.value for email in emails if email.value), ""),
        external_id=user.external_id or None,
        is_active=user.active is not False,
    )


def _name(person: Person) -> Name | None:
    if not (person.first_name or person.last_name):
        return None
    return Name(
        given_name=person.first_name or None,
        family_name=person.last_name or None,
    )
