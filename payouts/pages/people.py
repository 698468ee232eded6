"""Users and roles, in the look of the other pages."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Field, QuerySet
from django.forms import CheckboxSelectMultiple, ModelMultipleChoiceField
from django.forms import Field as FormField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from payouts.pages.words import role_words

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


class RolesField(ModelMultipleChoiceField):  # type: ignore[type-arg]  # not generic at run time
    """Roles to choose from, by the names that people know."""

    def label_from_instance(self, obj: Any) -> str:  # noqa: ANN401  a Group
        """The role in words."""
        return role_words(obj.name)


@admin.register(User)
class PersonAdmin(_List, UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # django-unfold ships no types
    """People who work here. What they may do follows from their roles alone (casino.roles)."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "full_name", "roles", "is_active", "last_login")
    list_filter = ("is_active", "groups")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("first_name", "last_name", "email")}),
        (_("Access"), {"fields": ("is_active", "is_staff", "groups")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """With the roles of all, in one query more."""
        people: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        return people

    @admin.display(description=_("Name"), ordering="last_name")
    def full_name(self, person: User) -> str:
        """First and last name."""
        return person.get_full_name()

    @admin.display(description=_("Roles"))
    def roles(self, person: User) -> str:
        """The roles in words."""
        return ", ".join(role_words(role.name) for role in person.groups.all())

    def formfield_for_dbfield(
        self,
        db_field: "Field[Any, Any]",
        request: HttpRequest,
        **options: Any,  # noqa: ANN401  Django's signature
    ) -> FormField | None:
        """Roles as boxes to tick: there are five, and none is made here."""
        if db_field.name != "groups":
            field: FormField | None = super().formfield_for_dbfield(db_field, request, **options)
            return field
        return RolesField(
            Group.objects.order_by("name"),
            required=False,
            label=_("Roles"),
            widget=CheckboxSelectMultiple({"class": "roles"}),
        )


@admin.register(Group)
class RoleAdmin(_List, GroupAdmin, ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """Roles with their permissions."""
