"""The forms of API keys."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext_lazy as _

from casino.integrations.issue_key import MOST_CALLS, NewKey
from casino.integrations.models import ApiKey
from casino.integrations.scopes import Scope
from rounds.field_errors import InvalidField

_KINDS: Final = [(kind.value, kind.label) for kind in ApiKey.Kind if kind != ApiKey.Kind.CUSTOMER]
OVERLAPS: Final = {
    "0": timedelta(),
    "1": timedelta(hours=1),
    "24": timedelta(days=1),
    "168": timedelta(days=7),
    "720": timedelta(days=30),
}
"""Overlap of the previous secret, in hours."""
OVERLAP_LABELS: Final = {
    "0": _("No overlap: the current secret may be compromised"),
    "1": _("one hour"),
    "24": _("one day"),
    "168": _("one week"),
    "720": _("30 days"),
}


class ScopesField(forms.MultipleChoiceField):
    """Scopes as checkboxes with labels."""

    widget = forms.CheckboxSelectMultiple({"class": "roles"})

    def __init__(self, **options: Any) -> None:
        choices = [(scope.value, _Words(scope)) for scope in Scope]
        super().__init__(choices=choices, **options)


class _Words:
    """A scope with its translated label."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def __str__(self) -> str:
        return f"{self._scope.value}: {self._scope.label}"


class KeyForm(forms.Form):
    """Owner, permissions, networks, rate limit and expiry of a key."""

    kind = forms.ChoiceField(label=_("Kind of program"), choices=_KINDS)
    owner = forms.CharField(label=_("Owner"), max_length=100)
    scopes = ScopesField(label=_("Permissions"))
    networks = forms.CharField(
        label=_("Allowed IP addresses"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=_(
            "For example 192.0.2.7 or 198.51.100.0/24. Separate with spaces or line breaks."
            " Empty: any address."
        ),
    )
    tables = forms.CharField(
        label=_("Table codes"),
        required=False,
        help_text=_("Separate with spaces. Empty: all tables."),
    )
    calls_per_minute = forms.IntegerField(
        label=_("Requests per minute"), min_value=1, max_value=MOST_CALLS, initial=600
    )
    expires_at = forms.DateTimeField(
        label=_("Expires (Rome)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M"),
        help_text=_("Empty: valid until revoked"),
    )

    def new_key(self) -> NewKey:
        """The submitted key."""
        data = self.cleaned_data
        return NewKey(
            kind=data["kind"],
            owner=data["owner"],
            scopes=data["scopes"],
            networks=data["networks"].replace(",", " ").split(),
            tables=data["tables"].split(),
            calls_per_minute=data["calls_per_minute"],
            expires_at=data["expires_at"],
        )

    def refuse(self, error: InvalidField) -> None:
        """Add the error to its field."""
        message = _("Found %(found)s; expected %(needed)s") % {
            "found": error.found,
            "needed": error.needed,
        }
        field = error.field if error.field in self.fields else NON_FIELD_ERRORS
        self.add_error(field, message)


class RotateForm(forms.Form):
    """The overlap of the previous secret, and the version that the user saw."""

    seen = forms.IntegerField(min_value=1)
    overlap = forms.ChoiceField(choices=list(OVERLAP_LABELS.items()))
    code = forms.CharField(required=False, max_length=40)


class RevokeForm(forms.Form):
    """The reason for revoking a key."""

    reason = forms.CharField(
        max_length=2_000, error_messages={"required": _("Enter a reason for revoking the key.")}
    )
    sure = forms.BooleanField(
        error_messages={"required": _("Confirm that programs using this key may stop working.")}
    )
    code = forms.CharField(required=False, max_length=40)
