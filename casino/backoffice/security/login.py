"""The login in two steps: password, then second factor."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino.access.passkeys import authentication_options
from casino.access.second_factor import has_factor, has_passkey
from casino.backoffice.security.confirmation import (
    local_address,
    mark_confirmed,
    rejected_factor_message,
    verified_factor,
)
from casino.backoffice.security.login_form import BUSY, LoginForm
from casino.backoffice.site.views import show
from casino.backoffice.today.first_steps import begin_tour

_AWAITED: Final = "awaits_second_factor"
_SECOND_STEP_WITHIN: Final = timedelta(minutes=5)
_BACKEND: Final = "casino.access.auth_backend.RolePermissions"


class PasswordStep(LoginView):
    """The login page. Users without a second factor are logged in, and enrol if required."""

    template_name = "admin/login.html"
    authentication_form = LoginForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page; logged-in users are redirected."""
        if admin.site.has_permission(request):
            return redirect("admin:index")
        page: HttpResponse = super().get(request, *args, **kwargs)
        return page

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With the context of all pages."""
        own = {"title": _("Log in"), "app_path": self.request.get_full_path()}
        shared = admin.site.each_context(self.request)
        return {**shared, **super().get_context_data(**kwargs), **own}

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with its errors; 503 if other logins were in the way."""
        answer: HttpResponse = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, BUSY):
            answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
            answer.headers["Retry-After"] = "2"
        return answer

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in, or continue with the second step."""
        person = form.get_user()
        if not has_factor(person):
            is_first = person.last_login is None
            answer: HttpResponse = super().form_valid(form)
            if is_first:
                begin_tour(self.request)
            return answer
        self.request.session[_AWAITED] = {
            "person": person.pk,
            "password": person.get_session_auth_hash(),
            "until": (timezone.now() + _SECOND_STEP_WITHIN).timestamp(),
        }
        back_to = urlencode({"next": self.get_success_url()})
        return redirect(f"{reverse('second_step')}?{back_to}")


@never_cache
def take_second_step(request: HttpRequest) -> HttpResponse:
    """The second step: a code or a passkey."""
    person = _awaited(request)
    if person is None:
        return redirect(settings.LOGIN_URL)
    back_to = local_address(request.GET.get("next", ""))
    if request.method == "POST" and (factor := verified_factor(request, person)):
        request.second_factor = factor  # type: ignore[attr-defined]  # recorded with the login
        is_first = person.last_login is None
        login(request, person, backend=_BACKEND)
        if is_first:
            begin_tour(request)
        request.session.pop(_AWAITED, None)
        mark_confirmed(request, by_both=True)
        return redirect(back_to)
    context = {
        "title": _("Two-step verification"),
        "person": person,
        "error": rejected_factor_message(request, person) if request.method == "POST" else "",
        "passkey": authentication_options(request, person) if has_passkey(person) else "",
    }
    return show(request, "admin/second_step.html", context)


def _awaited(request: HttpRequest) -> User | None:
    """The user who completed the first step recently, with an unchanged password."""
    awaited = request.session.get(_AWAITED)
    if awaited is None or awaited["until"] < timezone.now().timestamp():
        return None
    person = User.objects.filter(pk=awaited["person"], is_active=True).first()
    if person and constant_time_compare(awaited["password"], person.get_session_auth_hash()):
        return person
    return None
