"""Forms of comments."""

from django import forms
from django.utils.translation import gettext_lazy as _


class CommentForm(forms.Form):
    """A comment."""

    text = forms.CharField(
        label=_("Comment"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "data-mentions": "people-to-mention"}),
    )


class WithdrawalForm(forms.Form):
    """Why a comment is withdrawn."""

    reason = forms.CharField(
        label=_("Reason"), max_length=1000, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
