"""The login in two steps: the password, then what its owner has beside it."""

from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino.doors.login_page import LoginForm
from payouts.pages.confirming import local_address, mark_confirmed, proved_by, unproved_words
from payouts.pages.own_pages import show
from payouts.pages.second_factor import ask_for_passkey, has_factor, has_passkey

_AWAITED: Final = "awaits_second_factor"
_PATIENCE: Final = timedelta(minutes=5)
_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


class PasswordStep(LoginView):
    """The login page. Whoever has nothing but a password is in with it."""

    template_name = "admin/login.html"
    authentication_form = LoginForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ANN401  Django's signature
        """The page; whoever has logged in is led on."""
        if admin.site.has_permission(request):
            return redirect("admin:index")
        page: HttpResponse = super().get(request, *args, **kwargs)
        return page

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401  Django's signature
        """With what every page of the site has around it."""
        own = {"title": _("Log in"), "app_path": self.request.get_full_path()}
        shared = admin.site.each_context(self.request)
        return {**shared, **super().get_context_data(**kwargs), **own}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """In, or on to the second step."""
        person = form.get_user()
        if not has_factor(person):
            return super().form_valid(form)
        self.request.session[_AWAITED] = {
            "person": person.pk,
            "password": person.get_session_auth_hash(),
            "until": (timezone.now() + _PATIENCE).timestamp(),
        }
        back_to = urlencode({"next": self.get_success_url()})
        return redirect(f"{reverse('second_step')}?{back_to}")


@never_cache
def take_second_step(request: HttpRequest) -> HttpResponse:
    """Asks for a code or a passkey of whoever has just given the password."""
    person = _awaited(request)
    if person is None:
        return redirect(settings.LOGIN_URL)
    back_to = local_address(request.GET.get("next", ""))
    if request.method == "POST" and (factor := proved_by(request, person)):
        request.second_factor = factor  # type: ignore[attr-defined]  # read by whoever records the login
        login(request, person, backend=_BACKEND)
        request.session.pop(_AWAITED, None)
        mark_confirmed(request)
        return redirect(back_to)
    context = {
        "title": _("One step more"),
        "person": person,
        "wrong": unproved_words(request, person) if request.method == "POST" else "",
        "passkey": ask_for_passkey(request, person) if has_passkey(person) else "",
    }
    return show(request, "admin/second_step.html", context)


def _awaited(request: HttpRequest) -> User | None:
    """Who gave the password a moment ago, and has not changed it since."""
    said = request.session.get(_AWAITED)
    if said is None or said["until"] < timezone.now().timestamp():
        return None
    person = User.objects.filter(pk=said["person"], is_active=True).first()
    if person and constant_time_compare(said["password"], person.get_session_auth_hash()):
        return person
    return None
