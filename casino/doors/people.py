"""Users and roles, in the look of the other pages."""

from http import HTTPStatus
from typing import Any, cast

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Field, Model, QuerySet
from django.forms import CheckboxSelectMultiple
from django.forms import Field as FormField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserCreationForm

from casino.doors.people_forms import PersonForm, RolesField
from casino.doors.people_trail import record_changes, standing_of
from casino.doors.session_pages import end_sessions_of
from payouts.pages.access_trail import record_access
from payouts.pages.words import role_words

admin.site.unregister(User)
admin.site.unregister(Group)


class _List:
    """A list of Django's own that PostgreSQL, which knows no NUL, is never asked for one.

    Nothing is deleted from it: the trail names people by their accounts.
    """

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list; all of it where a filter has a NUL."""
        if any("\0" in text for text in (*request.GET, *request.GET.values())):
            return redirect(request.path)
        page: HttpResponse = super().changelist_view(request, extra_context)  # type: ignore[misc]  # of Django's
        return page

    def has_delete_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Nobody's."""
        return False


@admin.register(User)
class PersonAdmin(_List, UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # django-unfold ships no types
    """People who work here. What they may do follows from their roles alone (casino.roles)."""

    form = PersonForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    change_form_outer_after_template = "pages/person_factors.html"
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

    def get_form(
        self,
        request: HttpRequest,
        obj: User | None = None,
        change: bool = False,  # noqa: FBT001, FBT002  Django's signature
        **options: Any,  # noqa: ANN401  the same
    ) -> type[Any]:
        """The form, which knows who fills it in."""
        form = super().get_form(request, obj, change=change, **options)
        return type(form.__name__, (form,), {"asked_by": request.user})

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The form, and what the person has beside the password."""
        person = self.get_object(request, object_id)
        kinds = Authenticator.objects.filter(user=person).values_list("type", flat=True)
        more = {"factors": sorted(kinds)} if person else {}
        page: HttpResponse = super().change_view(
            request, object_id, form_url, {**(extra_context or {}), **more}
        )
        return page

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: Any) -> None:  # noqa: ANN401  Django's signature
        """Remembers what stood before."""
        form.before = standing_of(User.objects.get(pk=obj.pk)) if change else None
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:  # noqa: ANN401  the same
        """Records what changed, in the same transaction; a closed account is logged out."""
        super().save_related(request, form, formsets, change)
        person = User.objects.get(pk=form.instance.pk)
        record_changes(request, person, form.before)
        if not person.is_active:
            end_sessions_of(request, person)

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002  Django's signature
        form_url: str = "",
    ) -> HttpResponse:
        """Sets another password; whoever knew the one before is logged out."""
        with transaction.atomic():
            answer: HttpResponse = super().user_change_password(request, id, form_url)
            if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
                person = cast("User", self.get_object(request, id))
                end_sessions_of(request, person)
                record_access(request, "PASSWORD_RESET", person)
        return answer

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
    """Roles with their permissions, as casino.roles has them: to be looked at."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Nobody's."""
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Nobody's: an administrator would give himself any other role's."""
        return False
