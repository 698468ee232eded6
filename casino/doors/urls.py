"""Addresses of the login, of a person's own security, and of everybody's sessions."""

from django.contrib import admin
from django.urls import path
from django.views.decorators.http import require_POST

from casino.doors import security, session_pages
from casino.doors.factor_reset import reset_factors
from casino.doors.password_change import change_password
from casino.doors.second_step import PasswordStep, take_second_step
from payouts.pages.own_pages import page

_own = admin.site.admin_view  # whoever has logged in, about nobody else

urlpatterns = [
    path("login/", PasswordStep.as_view(), name="password_step"),
    path("login/second/", take_second_step, name="second_step"),
    path("password_change/", _own(change_password), name="change_password"),
    path("security/", _own(security.show_security), name="security"),
    path("security/phone/", _own(security.enrol_phone), name="enrol_phone"),
    path("security/passkey/", _own(security.enrol_passkey), name="enrol_passkey"),
    path(
        "security/codes/",
        _own(require_POST(security.new_recovery_codes)),
        name="new_recovery_codes",
    ),
    path("security/remove/", _own(require_POST(security.remove)), name="remove_factor"),
    path("security/end/", _own(require_POST(session_pages.end_own)), name="end_own_session"),
    path("sessions/", page(session_pages.show_all, permission=session_pages.LOOK), name="sessions"),
    path(
        "sessions/end/",
        require_POST(page(session_pages.end, permission=session_pages.END)),
        name="end_session",
    ),
    path(
        "people/<int:person>/reset/",
        require_POST(page(reset_factors, permission="auth.change_user")),
        name="reset_factors",
    ),
]
