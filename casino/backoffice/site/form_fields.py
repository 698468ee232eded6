"""Form fields and forms that several pages use."""

from datetime import date
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from payouts.evidence import MOST_BYTES, File
from payouts.regulator_letters import Letter
from rounds.models import Customer

MOST_TEXT: Final = 4_000
MOST_FILES: Final = 10


class SeveralFilesInput(forms.ClearableFileInput):
    """A file input that accepts several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Uploaded files."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[File]:
        """Each file with its name and content."""
        files = [file for file in data or [] if file]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(
                _("%(number)s files selected; the maximum is ten."), params={"number": len(files)}
            )
        too_big = [file.name for file in files if file.size > MOST_BYTES]
        if too_big:
            message = _("%(file)s is larger than 10 MB.")
            raise forms.ValidationError(message, params={"file": too_big[0]})
        return [File(file.name, file.read()) for file in files]


class CustomerField(forms.CharField):
    """A known customer, by pseudonym."""

    def clean(self, value: Any) -> Customer | None:
        """The customer; None if empty."""
        pseudonym = super().clean(value)
        if not pseudonym:
            return None
        customer = Customer.objects.filter(pseudonym=pseudonym).first()
        if customer is None:
            raise forms.ValidationError(
                _("Customer not found: %(name)s."), params={"name": pseudonym}
            )
        return customer


class LetterForm(forms.Form):
    """A letter to or from an authority, and the latest step that the user saw."""

    seen = forms.IntegerField(min_value=0)
    reference = forms.CharField(max_length=100)
    on_day = forms.DateField()
    note = forms.CharField(required=False, max_length=MOST_TEXT)


def letter_of(data: dict[str, Any]) -> Letter:
    """The letter in the validated values of a ``LetterForm``."""
    return Letter(data["reference"], data["on_day"], data["note"])


class DaysForm(forms.Form):
    """A first and a last gaming day, in order."""

    first_day = forms.DateField(
        label=_("First gaming day"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    last_day = forms.DateField(
        label=_("Last gaming day"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        """The days in order, and no more of them than allowed."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first_day"), cleaned.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("The last day is before the first day."))
        elif first and last:
            self.check_length(first, last)
        return cleaned

    def check_length(self, first: date, last: date) -> None:
        """Add an error if the days are too many."""
