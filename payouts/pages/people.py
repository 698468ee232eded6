"""Users and roles, in the look of the other pages."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class PersonAdmin(UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # django-unfold ships no types
    """People who work here."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Group)
class RoleAdmin(GroupAdmin, ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """Roles with their permissions."""
