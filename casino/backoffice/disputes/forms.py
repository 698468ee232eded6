"""The forms of disputes."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.backoffice.site.form_fields import MOST_TEXT, CustomerField, FilesField, LetterForm
from payouts.disputes.decide_dispute import Heading
from payouts.disputes.models import Dispute
from rounds.models import Bet, Round

_TEXT_REQUIRED: Final = {"required": _("Enter the text for the customer.")}


class OpeningForm(forms.Form):
    """A new dispute about a round."""

    customer = CustomerField(label=_("Customer"), max_length=200)
    bet = forms.CharField(
        label=_("Bet"),
        required=False,
        max_length=200,
        help_text=_("Leave empty for all bets of the customer"),
    )
    reason = forms.ChoiceField(label=_("Reason for the dispute"), choices=Dispute.Reason.choices)
    claimed = forms.DecimalField(
        label=_("Claimed, €"),
        required=False,
        min_value=0,
        decimal_places=2,
        max_digits=12,
        localize=True,
    )
    language = forms.ChoiceField(label=_("Language of the reply"), choices=Dispute.Language.choices)
    text = forms.CharField(
        label=_("Customer's statement"), max_length=MOST_TEXT, widget=forms.Textarea({"rows": 4})
    )
    evidence = FilesField(
        label=_("Evidence"), required=False, help_text=_("PDF, PNG or JPEG, up to 10 MB each")
    )

    is_shared = forms.BooleanField(label=_("Share the files with the customer"), required=False)

    def __init__(self, *arguments: Any, row: Round, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._row = row

    def clean_claimed(self) -> int | None:
        """The claimed amount in cents; None if empty."""
        claimed = self.cleaned_data["claimed"]
        return int(claimed * 100) or None if claimed else None

    def clean(self) -> dict[str, Any]:
        """The number of the selected bet."""
        cleaned = super().clean() or {}
        reference, customer = cleaned.get("bet", ""), cleaned.get("customer")
        cleaned["bet_number"] = None
        if reference and customer:
            bets = Bet.objects.filter(round=self._row, customer=customer, reference=reference)
            cleaned["bet_number"] = bets.values_list("number", flat=True).first()
            if cleaned["bet_number"] is None:
                self.add_error("bet", _("The customer does not have this bet in this round."))
        return cleaned


class StepForm(forms.Form):
    """A step, with the latest step that the user saw."""

    seen = forms.IntegerField(min_value=0)


class TextForm(StepForm):
    """A step with a text for the customer."""

    note = forms.CharField(max_length=MOST_TEXT, error_messages=_TEXT_REQUIRED)


class ClosingForm(StepForm):
    """The closing of a rejected dispute."""

    note = forms.CharField(required=False, max_length=MOST_TEXT)


class DecisionForm(TextForm):
    """A decision with the sections of the rules and a second factor."""

    citations = forms.MultipleChoiceField(
        error_messages={
            "required": _("Select at least one section of the rules that supports the decision.")
        }
    )
    code = forms.CharField(required=False, max_length=40)

    def __init__(
        self,
        *arguments: Any,
        headings: list[Heading],
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        choices = [(str(number), str(number)) for number in range(len(headings))]
        self.fields["citations"].choices = choices  # type: ignore[attr-defined]  # of its kind
        self._headings = headings

    def clean_citations(self) -> list[Heading]:
        """The selected sections."""
        return [self._headings[int(index)] for index in self.cleaned_data["citations"]]


class OutsideAnswerForm(LetterForm):
    """The external body's answer."""

    confirmed = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])
