"""Users and roles, in the look of the other pages."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.unregister(User)
admin.site.unregister(Group)


class _List:
    """A list of Django's own that PostgreSQL, which knows no NUL, is never asked for one."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list; all of it where a filter has a NUL."""
        if any("\0" in text for text in (*request.GET, *request.GET.values())):
            return redirect(request.path)
        page: HttpResponse = super().changelist_view(request, extra_context)  # type: ignore[misc]  # of Django's
        return page


@admin.register(User)
class PersonAdmin(_List, UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # django-unfold ships no types
    """People who work here."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Group)
class RoleAdmin(_List, GroupAdmin, ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """Roles with their permissions."""
