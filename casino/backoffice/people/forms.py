"""The forms of users and their access."""

from typing import Final

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from casino.access.roles import ROLES, are_kept_apart, role_label

_DOES: Final = {
    "supervisor": _("Manages tables, uploads feeds, proposes and approves decisions about money"),
    "payments": _("Proposes and approves decisions about money"),
    "compliance": _("Decides about money and disputes, closes gaming days, signs bundles"),
    "auditor": _("Read-only access to everything"),
    "administrator": _("Manages users, sessions, API keys, tables and limits; no access to money"),
}


class RolesField(forms.MultipleChoiceField):
    """Roles as checkboxes with descriptions."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Roles"),
            choices=[(role, _RoleLabel(role)) for role in ROLES],
            widget=forms.CheckboxSelectMultiple({"class": "roles"}),
            required=False,
        )


class _RoleLabel:
    """A role with its translated description."""

    def __init__(self, role: str) -> None:
        self._role = role

    def __str__(self) -> str:
        return f"{role_label(self._role)}: {_DOES[self._role]}"


class DetailsForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    """Name and e-mail of a person."""

    first_name = forms.CharField(label=_("First name"), max_length=150)
    last_name = forms.CharField(label=_("Last name"), max_length=150)
    email = forms.EmailField(
        label=_("E-mail"),
        help_text=_("Security notices for this account are sent to this address."),
    )

    class Meta:
        model = User
        fields = ("first_name", "last_name", "email")


class ReasonForm(forms.Form):
    """The reason for an access change."""

    reason = forms.CharField(label=_("Reason"), max_length=2000, widget=forms.Textarea({"rows": 2}))


class ApprovalForm(forms.Form):
    """The approval of a request by an administrator who spoke with the person."""

    sure = forms.BooleanField(
        error_messages={"required": _("Speak with the person first and confirm it.")}
    )
    reason = forms.CharField(max_length=2000, required=False)


class RolesForm(ReasonForm):
    """The new roles of a person, and the reason."""

    roles = RolesField()
    field_order = ("roles", "reason")


class NewPersonForm(DetailsForm):
    """A new account."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=_("Used to log in. It cannot be changed, because the audit trail refers to it."),
    )
    roles = RolesField()
    reason = forms.CharField(
        label=_("Reason"), max_length=2000, widget=forms.Textarea({"rows": 2}), required=True
    )
    field_order = ("first_name", "last_name", "username", "email", "roles", "reason")

    class Meta(DetailsForm.Meta):
        fields = ("username", "first_name", "last_name", "email")  # type: ignore[assignment]  # one more

    def clean_username(self) -> str:
        """A user name that is not taken, compared case-insensitively."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(_("This user name is already taken."))
        return name

    def clean_roles(self) -> list[str]:
        """Checks the separation of duties."""
        roles: list[str] = self.cleaned_data["roles"]
        if not are_kept_apart(roles):
            raise forms.ValidationError(
                _("An administrator cannot also have the role supervisor, payments or compliance.")
            )
        return roles
