"""Forms of replay links."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.site.form_fields import CustomerField
from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.models import LONGEST

_USUAL_DAYS: Final = 14


class OutsideReaderForm(forms.Form):
    """Who outside gets a round, whose bets it shows, and why."""

    audience = forms.ChoiceField(label=gettext_lazy("For"), choices=Dossier.Audience.choices)
    recipient = forms.CharField(
        label=gettext_lazy("Recipient"),
        max_length=200,
        help_text=gettext_lazy("Name or file number. The recipient does not see it."),
    )
    customer = CustomerField(
        label=gettext_lazy("Customer whose bets are shown"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Leave empty to show all bets; only for the regulator"),
    )
    purpose = forms.CharField(
        label=gettext_lazy("Purpose"), max_length=1000, widget=forms.Textarea({"rows": 2})
    )

    def clean(self) -> dict[str, Any]:
        """A customer, unless it is for the regulator."""
        cleaned = super().clean() or {}
        is_regulator = cleaned.get("audience") == Dossier.Audience.REGULATOR
        if not is_regulator and "customer" in cleaned and cleaned["customer"] is None:
            self.add_error("customer", _("Choose the customer whose bets are shown."))
        return cleaned


class LinkForm(OutsideReaderForm):
    """A link to the replay, and for how long it opens."""

    days = forms.IntegerField(
        label=gettext_lazy("Valid for (days)"),
        min_value=1,
        max_value=LONGEST.days,
        initial=_USUAL_DAYS,
    )
    field_order = ("audience", "recipient", "customer", "days")


class RevocationForm(forms.Form):
    """Why a link is revoked."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=1000)
