"""What the pages of cases ask for."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from payouts.cases.remedies import Remedy
from payouts.cases.scope import TooManyRounds, UnknownRounds, rounds_in_window, rounds_named
from payouts.models import Reason
from payouts.services.open_case import MOST_BYTES, File, Window
from rounds.models import Customer, Table

_MOST_TEXT: Final = 4_000
_MOST_FILES: Final = 10


class SeveralFilesInput(forms.ClearableFileInput):
    """A field for files that takes several at once."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Files as they were handed in."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[File]:  # noqa: ANN401  Django's signature
        """Each with its name and all of its content."""
        handed_in = [one for one in data or [] if one]
        if len(handed_in) > _MOST_FILES:
            raise forms.ValidationError(
                _("%(number)s files; ten at most."), params={"number": len(handed_in)}
            )
        too_big = [one.name for one in handed_in if one.size > MOST_BYTES]
        if too_big:
            message = _("%(file)s is bigger than 10 MB.")
            raise forms.ValidationError(message, params={"file": too_big[0]})
        return [File(one.name, one.read()) for one in handed_in]


class ReasonForm(forms.Form):
    """Why: a reason of the list, and what happened in words."""

    reason = forms.ModelChoiceField(
        Reason.objects.none(), label=_("Reason"), to_field_name="code", empty_label="—"
    )
    text = forms.CharField(
        label=_("What happened"), max_length=_MOST_TEXT, widget=forms.Textarea({"rows": 3})
    )

    def __init__(self, *arguments: Any, purpose: str, **options: Any) -> None:  # noqa: ANN401  Django's
        super().__init__(*arguments, **options)
        reasons = Reason.objects.filter(purpose=purpose, is_active=True)
        self.fields["reason"].queryset = reasons  # type: ignore[attr-defined]  # of its kind of field


class MalfunctionForm(ReasonForm):
    """What broke: rounds by their ids, or a table in a window of time."""

    references = forms.CharField(
        label=_("Rounds, by their ids"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("apart by spaces or lines; or a table and a time below"),
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
        """The rounds that are meant, and the window if there is one."""
        asked = super().clean() or {}
        try:
            asked["window"], asked["round_ids"] = self._meant(asked)
        except UnknownRounds as refusal:
            unknown = ", ".join(refusal.references[:5])
            message = _("No round is called %(unknown)s.")
            self.add_error(
                "references", forms.ValidationError(message, params={"unknown": unknown})
            )
        except TooManyRounds:
            self.add_error(None, _("These are more than 5,000 rounds: choose a shorter time."))
        return asked

    def _meant(self, asked: dict[str, Any]) -> tuple[Window | None, Sequence[Any]]:
        references = asked.get("references", "").split()
        table, first, last = (asked.get(name) for name in ("table", "first", "last"))
        if references and not (table or first or last):
            return None, rounds_named(references)
        if references or not (table and first and last):
            self.add_error(None, _("Name rounds, or a table with the time from and to."))
            return None, ()
        if first > last:
            self.add_error("last", _("This is before the time from which it begins."))
            return None, ()
        found = rounds_in_window(table, first=first, last=last)
        if not found:
            self.add_error(None, _("No round of this table was open in that time."))
        return Window(table, first, last), found


class CreditForm(ReasonForm):
    """Whom to credit with how much."""

    customer = forms.CharField(label=_("Customer"), max_length=200)
    amount = forms.DecimalField(
        label=_("Amount, €"), min_value=0, decimal_places=2, max_digits=12, localize=True
    )

    field_order = ("customer", "amount", "reason", "text")

    def clean_customer(self) -> Customer:
        """A customer who has bet."""
        pseudonym = self.cleaned_data["customer"].strip()
        known = Customer.objects.filter(pseudonym=pseudonym.replace("\0", "")).first()
        if known is None:
            raise forms.ValidationError(_("Nobody is called %(name)s."), params={"name": pseudonym})
        return known

    def clean_amount(self) -> int:
        """Cents, above nothing."""
        cents = int(self.cleaned_data["amount"] * 100)
        if not cents:
            raise forms.ValidationError(_("Nothing is no credit."))
        return cents


class DecisionForm(forms.Form):
    """What every decision about a case says: the step that was seen, and why."""

    seen = forms.IntegerField(min_value=0)
    note = forms.CharField(
        required=True,
        max_length=_MOST_TEXT,
        error_messages={"required": _("Say why: it is kept with the decision.")},
    )


class EffectForm(DecisionForm):
    """A decision on an effect that was shown."""

    digest = forms.RegexField(r"^[0-9a-f]{64}$")

    def clean_digest(self) -> bytes:
        """The 32 bytes."""
        return bytes.fromhex(self.cleaned_data["digest"])


class ProposalForm(EffectForm):
    """A proposal of one of the remedies that leave the round's facts."""

    remedy = forms.ChoiceField(choices=Remedy.choices)


class ApprovalForm(EffectForm):
    """An approval of what was shown, with a fresh proof of who approves."""

    read = forms.BooleanField(error_messages={"required": _("Say that you have read the effect.")})
    code = forms.CharField(required=False, max_length=40)


class LetterForm(forms.Form):
    """A letter to the regulator or from there."""

    seen = forms.IntegerField(min_value=0)
    reference = forms.CharField(max_length=100)
    on_day = forms.DateField()
    note = forms.CharField(required=False, max_length=_MOST_TEXT)
    allowed = forms.ChoiceField(required=False, choices=[("yes", "yes"), ("no", "no")])


def beginning_of_hour() -> datetime:
    """Where a window begins unless somebody says otherwise: this hour, in Rome."""
    return timezone.localtime().replace(minute=0, second=0, microsecond=0)
