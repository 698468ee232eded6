"""Saving, sharing and removing views of lists."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.lists.models import SavedView
from casino.backoffice.site.form_data import text_of

MOST_SHOWN: Final = 50
_MOST_OWN: Final = 50


class ViewForm(forms.Form):
    """A view of a list: its name, and whether others see it."""

    list_name = forms.SlugField(max_length=40)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    query = forms.CharField(required=False, max_length=2000)
    is_shared = forms.BooleanField(required=False)


def views_of(list_name: str, reader: User) -> QuerySet[SavedView]:
    """The reader's views of a list, and those that others share, by name."""
    seen = Q(owner=reader) | Q(is_shared=True)
    views = SavedView.objects.filter(seen, list_name=list_name).select_related("owner")
    return views.order_by("name", "pk")[:MOST_SHOWN]


def save_view(request: HttpRequest) -> HttpResponse:
    """Save the shown filters, order and columns; the same name replaces the user's earlier view."""
    form, owner = ViewForm(request.POST), request_user(request)
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        messages.error(request, f"{form.fields[field].label or field}: {errors[0]}")
        return _back(request)
    data = form.cleaned_data
    key = {"list_name": data["list_name"], "name": data["name"], "owner": owner}
    own = SavedView.objects.filter(list_name=data["list_name"], owner=owner)
    if own.exclude(name=data["name"]).count() >= _MOST_OWN:
        messages.error(request, _("You have 50 views of this list. Remove one first."))
        return _back(request)
    SavedView.objects.update_or_create(
        **key,
        defaults={
            "query": data["query"],
            "is_shared": data["is_shared"],
            "saved_at": timezone.now(),
        },
    )
    messages.success(request, _("View saved."))
    return _back(request)


def remove_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a view of the user. Nobody removes another person's view."""
    get_object_or_404(SavedView, pk=pk, owner=request_user(request)).delete()
    messages.success(request, _("View removed."))
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """The list from which the form was sent, as it was shown."""
    address = text_of(request, "back")
    is_own = url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return redirect(address if is_own and address.startswith("/") else reverse("admin:index"))
