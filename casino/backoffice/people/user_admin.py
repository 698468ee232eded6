"""Users and roles in Django's admin."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from casino.access.roles import role_label

admin.site.unregister(User)
admin.site.unregister(Group)


class _List:
    """A Django list that ignores filters with NUL, which PostgreSQL cannot store.

    Accounts are never deleted, because the audit trail refers to them.
    """

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list; without filters if one contains NUL."""
        if any("\0" in text for text in (*request.GET, *request.GET.values())):
            return redirect(request.path)
        page: HttpResponse = super().changelist_view(request, extra_context)  # type: ignore[misc]  # of Django's
        return page

    def has_delete_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Never."""
        return False


@admin.register(User)
class PersonAdmin(_List, UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # django-unfold ships no types
    """The list of users; each has a page in ``person_page``."""

    list_before_template = "backoffice/people/people.html"
    list_display = ("username", "full_name", "roles", "is_active", "last_login")
    list_filter = ("is_active", "groups")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Users with their roles, in one more query."""
        people: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        return people

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Never: ``add_person`` adds accounts."""
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Never: changes may require a second administrator."""
        return False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Redirect to the page of the person; POST data is ignored."""
        person = self.get_object(request, object_id)
        if not self.has_view_permission(request, person):
            raise PermissionDenied
        if person is None:
            return redirect("admin:auth_user_changelist")
        return redirect("person", person.pk)

    @admin.display(description=_("Name"), ordering="last_name")
    def full_name(self, person: User) -> str:
        """First and last name."""
        return person.get_full_name()

    @admin.display(description=_("Roles"))
    def roles(self, person: User) -> str:
        """The names of the roles."""
        return ", ".join(role_label(role.name) for role in person.groups.all())


@admin.register(Group)
class RoleAdmin(_List, GroupAdmin, ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """Roles with their permissions, read-only, as defined in ``casino.access.roles``."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Never: an administrator could grant themselves any permission."""
        return False
