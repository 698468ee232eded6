"""The forms of cases."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.backoffice.site.form_fields import MOST_TEXT, CustomerField, FilesField, LetterForm
from payouts.cases.models import Reason
from payouts.cases.open_case import Window
from payouts.cases.reasons_in_force import reasons_in_use
from payouts.cases.remedies import Remedy
from payouts.cases.round_selection import (
    TooManyRounds,
    UnknownRounds,
    rounds_in_window,
    rounds_named,
)
from rounds.models import Table


class ReasonForm(forms.Form):
    """A reason from the list, with a description."""

    reason = forms.ModelChoiceField(
        Reason.objects.none(), label=_("Reason"), to_field_name="code", empty_label="—"
    )
    text = forms.CharField(
        label=_("What happened"), max_length=MOST_TEXT, widget=forms.Textarea({"rows": 3})
    )

    def __init__(self, *arguments: Any, purpose: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["reason"].queryset = reasons_in_use(purpose)  # type: ignore[attr-defined]  # of its kind of field


class MalfunctionForm(ReasonForm):
    """A malfunction: rounds by ID, or a table and a period."""

    references = forms.CharField(
        label=_("Round IDs"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("Separate with spaces or line breaks, or choose a table and a period below"),
    )
    table = forms.ModelChoiceField(
        Table.objects.all(), label=_("Table"), required=False, to_field_name="code", empty_label="—"
    )
    first = forms.DateTimeField(
        label=_("From (Rome)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local", "step": 1}, "%Y-%m-%dT%H:%M:%S"),
    )
    last = forms.DateTimeField(
        label=_("To (Rome)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local", "step": 1}, "%Y-%m-%dT%H:%M:%S"),
    )
    evidence = FilesField(
        label=_("Evidence"), required=False, help_text=_("PDF, PNG or JPEG, up to 10 MB each")
    )

    field_order = ("references", "table", "first", "last", "reason", "text", "evidence")

    def clean(self) -> dict[str, Any]:
        """The selected rounds, and the period if one was entered."""
        cleaned = super().clean() or {}
        try:
            cleaned["window"], cleaned["round_ids"] = self._selected_rounds(cleaned)
        except UnknownRounds as error:
            unknown = ", ".join(error.references[:5])
            message = _("Round not found: %(unknown)s.")
            self.add_error(
                "references", forms.ValidationError(message, params={"unknown": unknown})
            )
        except TooManyRounds:
            self.add_error(None, _("More than 5,000 rounds match. Choose a shorter period."))
        return cleaned

    def _selected_rounds(self, cleaned: dict[str, Any]) -> tuple[Window | None, Sequence[Any]]:
        references = cleaned.get("references", "").split()
        table, first, last = (cleaned.get(name) for name in ("table", "first", "last"))
        if references and not (table or first or last):
            return None, rounds_named(references)
        if references or not (table and first and last):
            self.add_error(None, _("Enter round IDs, or a table with a start and an end time."))
            return None, ()
        if first > last:
            self.add_error("last", _("The end time is before the start time."))
            return None, ()
        round_ids = rounds_in_window(table, first=first, last=last)
        if not round_ids:
            self.add_error(None, _("This table had no open round in this period."))
        return Window(table, first, last), round_ids


class CreditForm(ReasonForm):
    """A goodwill credit: customer and amount."""

    customer = CustomerField(label=_("Customer"), max_length=200)
    amount = forms.DecimalField(
        label=_("Amount, €"), min_value=0, decimal_places=2, max_digits=12, localize=True
    )

    field_order = ("customer", "amount", "reason", "text")

    def clean_amount(self) -> int:
        """The amount in cents, greater than zero."""
        cents = int(self.cleaned_data["amount"] * 100)
        if not cents:
            raise forms.ValidationError(_("Enter an amount greater than zero."))
        return cents


class DecisionForm(forms.Form):
    """A decision about a case: the latest step that the user saw, and a note."""

    seen = forms.IntegerField(min_value=0)
    note = forms.CharField(
        required=True,
        max_length=MOST_TEXT,
        error_messages={"required": _("Enter a reason. It is stored with the decision.")},
    )


class EffectForm(DecisionForm):
    """A decision about a displayed effect."""

    digest = forms.RegexField(r"^[0-9a-f]{64}$")

    def clean_digest(self) -> bytes:
        """The digest, 32 bytes."""
        return bytes.fromhex(self.cleaned_data["digest"])


class ProposalForm(EffectForm):
    """A proposal of a remedy that keeps the facts of the round."""

    remedy = forms.ChoiceField(choices=Remedy.choices)


class ApprovalForm(EffectForm):
    """An approval of the displayed effect, with a second factor."""

    read = forms.BooleanField(
        error_messages={"required": _("Confirm that you have reviewed the effect.")}
    )
    code = forms.CharField(required=False, max_length=40)


class AnswerForm(LetterForm):
    """The regulator's answer."""

    allowed = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


def beginning_of_hour() -> datetime:
    """The start of the current hour in Rome; the initial start of a period."""
    return timezone.localtime().replace(minute=0, second=0, microsecond=0)
