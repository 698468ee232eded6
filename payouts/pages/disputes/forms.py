"""What the pages of disputes ask for."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from payouts.models import Dispute
from payouts.pages.cases.forms import FilesField
from payouts.services.decide_dispute import Heading
from rounds.models import Bet, Customer, Round

_MOST_TEXT: Final = 4_000
_SAY_WHY: Final = {"required": _("Write what the customer reads.")}


class OpeningForm(forms.Form):
    """Who contests what of a round."""

    customer = forms.CharField(label=_("Customer"), max_length=200)
    bet = forms.CharField(
        label=_("Bet"), required=False, max_length=200, help_text=_("empty: all his bets")
    )
    reason = forms.ChoiceField(label=_("What is wrong"), choices=Dispute.Reason.choices)
    claimed = forms.DecimalField(
        label=_("Claimed, €"),
        required=False,
        min_value=0,
        decimal_places=2,
        max_digits=12,
        localize=True,
    )
    language = forms.ChoiceField(label=_("Answered in"), choices=Dispute.Language.choices)
    text = forms.CharField(
        label=_("What the customer says"),
        max_length=_MOST_TEXT,
        widget=forms.Textarea({"rows": 4}),
    )
    evidence = FilesField(
        label=_("Evidence"), required=False, help_text=_("PDF, PNG or JPEG, up to 10 MB each")
    )

    def __init__(self, *arguments: Any, row: Round, **options: Any) -> None:  # noqa: ANN401  Django's
        super().__init__(*arguments, **options)
        self._row = row

    def clean_customer(self) -> Customer:
        """A customer who has bet."""
        pseudonym = self.cleaned_data["customer"].strip()
        known = Customer.objects.filter(pseudonym=pseudonym).first()
        if known is None:
            raise forms.ValidationError(_("Nobody is called %(name)s."), params={"name": pseudonym})
        return known

    def clean_claimed(self) -> int | None:
        """Cents; None for nothing."""
        claimed = self.cleaned_data["claimed"]
        return int(claimed * 100) or None if claimed else None

    def clean(self) -> dict[str, Any]:
        """The number of the bet that is meant."""
        asked = super().clean() or {}
        reference, customer = asked.get("bet", ""), asked.get("customer")
        asked["bet_number"] = None
        if reference and customer:
            bets = Bet.objects.filter(round=self._row, customer=customer, reference=reference)
            asked["bet_number"] = bets.values_list("number", flat=True).first()
            if asked["bet_number"] is None:
                self.add_error("bet", _("The customer has no such bet in this round."))
        return asked


class StepForm(forms.Form):
    """A step on what was seen, with or without a text."""

    seen = forms.IntegerField(min_value=0)


class TextForm(StepForm):
    """A step that says something to the customer."""

    note = forms.CharField(max_length=_MOST_TEXT, error_messages=_SAY_WHY)


class ClosingForm(StepForm):
    """The end of a rejected dispute."""

    note = forms.CharField(required=False, max_length=_MOST_TEXT)


class DecisionForm(TextForm):
    """A decision, with the headings it rests on and a fresh proof of who decides."""

    citations = forms.MultipleChoiceField(
        error_messages={
            "required": _("Mark at least one heading of the rules that the decision rests on.")
        }
    )
    code = forms.CharField(required=False, max_length=40)

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401  Django's
        headings: list[Heading],
        **options: Any,  # noqa: ANN401  Django's
    ) -> None:
        super().__init__(*arguments, **options)
        choices = [(str(number), str(number)) for number in range(len(headings))]
        self.fields["citations"].choices = choices  # type: ignore[attr-defined]  # of its kind
        self._headings = headings

    def clean_citations(self) -> list[Heading]:
        """The headings that were marked."""
        return [self._headings[int(one)] for one in self.cleaned_data["citations"]]


class LetterForm(StepForm):
    """A letter to the outside body or from there."""

    reference = forms.CharField(max_length=100)
    on_day = forms.DateField()
    note = forms.CharField(required=False, max_length=_MOST_TEXT)
    confirmed = forms.ChoiceField(required=False, choices=[("yes", "yes"), ("no", "no")])
