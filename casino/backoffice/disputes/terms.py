"""The terms of disputes, which compliance sets on the list."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.signatures.signing import decided_at, signing_actor
from payouts.disputes.calendar import Term
from payouts.disputes.set_dispute_term import MOST_DAYS, set_dispute_term
from payouts.disputes.status import FIRST_TERMS, State, terms_in_force

SET: Final = "payouts.set_dispute_term"
"""Permission to set a term."""


class TermForm(forms.Form):
    """The term of a state."""

    state = forms.ChoiceField(
        label=gettext_lazy("Status"), choices=[(state.value, state.label) for state in FIRST_TERMS]
    )
    days = forms.IntegerField(
        label=gettext_lazy("Number of days"), min_value=1, max_value=MOST_DAYS
    )
    are_working_days = forms.BooleanField(
        label=gettext_lazy("Working days of Rome"), required=False
    )


def terms_context(request: HttpRequest) -> dict[str, Any]:
    """The terms in force, and the form for users who may set one."""
    terms = [(state.label, term) for state, term in terms_in_force().items()]
    return {"terms": terms, "form": TermForm(), "may_set_term": request.user.has_perm(SET)}


def set_term(request: HttpRequest) -> HttpResponse:
    """Set the term of a state."""
    form = TermForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        set_dispute_term(
            state=State(data["state"]),
            term=Term(data["days"], data["are_working_days"]),
            at=decided_at(request),
            actor=signing_actor(request),
        )
        messages.success(request, _("Deadline set. Steps in progress keep their due date."))
    else:
        found = " ".join(str(error) for errors in form.errors.values() for error in errors)
        messages.error(request, found)
    return redirect("disputes")
