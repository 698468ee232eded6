"""What a person's page refuses."""

from typing import Any, ClassVar

from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.forms import ModelMultipleChoiceField, ValidationError
from django.utils.translation import gettext as _
from unfold.forms import UserChangeForm

from casino.roles import are_kept_apart
from payouts.pages.words import role_words


class RolesField(ModelMultipleChoiceField):  # type: ignore[type-arg]  # not generic at run time
    """Roles to choose from, by the names that people know."""

    def label_from_instance(self, obj: Any) -> str:  # noqa: ANN401  a Group
        """The role in words."""
        return role_words(obj.name)


class PersonForm(UserChangeForm):  # type: ignore[misc]  # django-unfold ships no types
    """A person and their roles."""

    asked_by: ClassVar[User]
    """Who fills it in; the page sets it."""

    def clean_groups(self) -> QuerySet[Group]:
        """The roles: duties that belong apart stay apart, and nobody changes their own."""
        roles: QuerySet[Group] = self.cleaned_data["groups"]
        names = {role.name for role in roles}
        if not are_kept_apart(names):
            raise ValidationError(
                _(
                    "Who manages users decides about no money: an administrator cannot also be"
                    " supervisor, payments or compliance."
                )
            )
        if self._is_own() and names != {role.name for role in self.instance.groups.all()}:
            raise ValidationError(_("Nobody changes their own roles: ask another administrator."))
        return roles

    def clean_is_active(self) -> bool:
        """Nobody closes their own account, and so nobody is left without an administrator."""
        is_active: bool = self.cleaned_data["is_active"]
        if self._is_own() and not is_active:
            raise ValidationError(_("Nobody closes their own account: ask another administrator."))
        return is_active

    def _is_own(self) -> bool:
        return bool(self.instance.pk == self.asked_by.pk)
