"""Notes about a customer."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.form_data import actor_in
from payouts.customer_notes.write_customer_note import write_customer_note
from rounds.models import Customer

WRITE: Final = "payouts.write_customer_note"
"""Permission to write notes about customers."""


class NoteForm(forms.Form):
    """A note."""

    text = forms.CharField(
        label=gettext_lazy("Note"), max_length=4000, widget=forms.Textarea(attrs={"rows": 3})
    )


def write_note(request: HttpRequest, pk: int) -> HttpResponse:
    """Write a note; it cannot be changed afterwards."""
    customer = get_object_or_404(Customer, pk=pk)
    with show_errors(request, message=str):
        text = cleaned_data_of(NoteForm(request.POST))["text"]
        write_customer_note(
            customer=customer, text=text, at=timezone.now(), actor=actor_in(request)
        )
        messages.success(request, _("Note saved."))
    return redirect("admin:rounds_customer_change", pk)
