"""What the pages of keys ask for."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext_lazy as _

from payouts.api.models import ApiKey
from payouts.api.scopes import Scope
from payouts.api.services.issue_key import MOST_CALLS, AskedKey
from rounds.services.table_fields import NotTaken

_KINDS: Final = [(one.value, one.label) for one in ApiKey.Kind if one != ApiKey.Kind.CUSTOMER]
OVERLAPS: Final = {
    "0": timedelta(),
    "1": timedelta(hours=1),
    "24": timedelta(days=1),
    "168": timedelta(days=7),
    "720": timedelta(days=30),
}
"""By hours: how long the secret before works on."""
OVERLAP_WORDS: Final = {
    "0": _("not at all: it may be known to somebody"),
    "1": _("one hour"),
    "24": _("one day"),
    "168": _("one week"),
    "720": _("30 days"),
}


class ScopesField(forms.MultipleChoiceField):
    """Scopes as boxes to tick, each with its words."""

    widget = forms.CheckboxSelectMultiple({"class": "roles"})

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  Django's signature
        choices = [(one.value, _Words(one)) for one in Scope]
        super().__init__(choices=choices, **options)


class _Words:
    """A scope by its name and its words, in the language of the reader."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def __str__(self) -> str:
        return f"{self._scope.value}: {self._scope.label}"


class KeyForm(forms.Form):
    """Whose key, what it may do, from where, how often, until when."""

    kind = forms.ChoiceField(label=_("Kind of program"), choices=_KINDS)
    owner = forms.CharField(label=_("Owner"), max_length=100)
    scopes = ScopesField(label=_("May"))
    networks = forms.CharField(
        label=_("From addresses"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=_(
            "such as 192.0.2.7 or 198.51.100.0/24, apart by spaces or lines; empty: from anywhere"
        ),
    )
    tables = forms.CharField(
        label=_("Tables, by their codes"),
        required=False,
        help_text=_("apart by spaces; empty: all tables"),
    )
    calls_per_minute = forms.IntegerField(
        label=_("Calls a minute"), min_value=1, max_value=MOST_CALLS, initial=600
    )
    expires_at = forms.DateTimeField(
        label=_("Works until (Rome)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M"),
        help_text=_("empty: until it is revoked"),
    )

    def asked(self) -> AskedKey:
        """What a valid form asks for."""
        said = self.cleaned_data
        return AskedKey(
            kind=said["kind"],
            owner=said["owner"],
            scopes=said["scopes"],
            networks=said["networks"].replace(",", " ").split(),
            tables=said["tables"].split(),
            calls_per_minute=said["calls_per_minute"],
            expires_at=said["expires_at"],
        )

    def refuse(self, refusal: NotTaken) -> None:
        """Says at its field what could not be taken."""
        words = _("found %(found)s; needed: %(needed)s") % {
            "found": refusal.found,
            "needed": refusal.needed,
        }
        named = refusal.field if refusal.field in self.fields else NON_FIELD_ERRORS
        self.add_error(named, words)


class RotateForm(forms.Form):
    """How long the secret before works on, and which one was seen."""

    seen = forms.IntegerField(min_value=1)
    overlap = forms.ChoiceField(choices=list(OVERLAP_WORDS.items()))
    code = forms.CharField(required=False, max_length=40)


class RevokeForm(forms.Form):
    """Why a key is revoked."""

    reason = forms.CharField(
        max_length=2_000, error_messages={"required": _("Say why the key is revoked.")}
    )
    sure = forms.BooleanField(
        error_messages={"required": _("Say that programs which use it may stop.")}
    )
    code = forms.CharField(required=False, max_length=40)
