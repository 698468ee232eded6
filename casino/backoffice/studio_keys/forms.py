"""The forms of studio keys."""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext_lazy as _

from rounds.field_errors import InvalidField
from rounds.gaming_day import ROME
from rounds.models import Table

_MOST_TEXT = 2_000


def _table_codes() -> list[tuple[str, str]]:
    rows = Table.objects.values_list("code", "name")
    return [(code, code if name == code else f"{code}: {name}") for code, name in rows]


class Proposal(NamedTuple):
    """A key to register, and why."""

    studio: str
    public_key: str
    tables: list[str]
    valid_from: datetime
    valid_until: datetime
    reason: str


class StudioKeyForm(forms.Form):
    """A public key, the tables that it signs for, and the days on which it is valid."""

    studio = forms.CharField(label=_("Studio"), max_length=100)
    public_key = forms.CharField(
        label=_("Public key"),
        max_length=_MOST_TEXT,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "class": "mono"}),
        help_text=_("Ed25519, in PEM or as JSON Web Key. Never the private key."),
    )
    tables = forms.MultipleChoiceField(
        label=_("Tables"),
        choices=_table_codes,
        widget=forms.CheckboxSelectMultiple({"class": "roles"}),
        help_text=_("The key signs for these tables alone."),
    )
    first_day = forms.DateField(
        label=_("Valid from (Rome)"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    last_day = forms.DateField(
        label=_("Last valid day (Rome)"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=_MOST_TEXT, widget=forms.Textarea({"rows": 2})
    )

    def proposal(self) -> Proposal:
        """The submitted values, as ``propose_studio_key`` takes them."""
        data = self.cleaned_data
        return Proposal(
            data["studio"],
            data["public_key"],
            data["tables"],
            _midnight(data["first_day"]),
            _midnight(data["last_day"] + timedelta(days=1)),
            data["reason"],
        )

    def refuse(self, error: InvalidField) -> None:
        """Add the error to its field."""
        message = _("Found %(found)s; expected %(needed)s") % {
            "found": error.found,
            "needed": error.needed,
        }
        name = {"valid_until": "last_day"}.get(error.field, error.field)
        self.add_error(name if name in self.fields else NON_FIELD_ERRORS, message)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), ROME)


class NoteForm(forms.Form):
    """A reason, and the code that confirms the person."""

    note = forms.CharField(max_length=_MOST_TEXT, error_messages={"required": _("Enter a reason.")})
    code = forms.CharField(required=False, max_length=40)


class RequirementForm(NoteForm):
    """The step that the user saw."""

    seen = forms.IntegerField(min_value=0)
