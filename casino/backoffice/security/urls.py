"""URLs of login, security and sessions."""

from django.contrib import admin
from django.urls import path
from django.views.decorators.http import require_POST

from casino.backoffice.people import access_requests, people_list, person_page, sessions
from casino.backoffice.people.notices import acknowledge
from casino.backoffice.people.unlock import unlock_account
from casino.backoffice.security import security_page, single_sign_on
from casino.backoffice.security.login import PasswordStep, take_second_step
from casino.backoffice.security.password_change import change_password
from casino.backoffice.security.step_up import step_up
from casino.backoffice.signatures import log_keys, log_losses, signing_keys
from casino.backoffice.site.views import page

ADD = "auth.add_user"
_own = admin.site.admin_view  # for every logged-in user, about their own account

urlpatterns = [
    path("login/", PasswordStep.as_view(), name="password_step"),
    path("login/second/", take_second_step, name="second_step"),
    path("login/sso/", single_sign_on.begin_login, name="begin_single_sign_on"),
    path("login/sso/back/", single_sign_on.finish, name="finish_single_sign_on"),
    path("login/sso/saml/", single_sign_on.receive_assertion, name="receive_assertion"),
    path("login/sso/metadata/", single_sign_on.show_metadata, name="saml_metadata"),
    path("security/sso/", _own(single_sign_on.begin_connection), name="begin_connection"),
    path(
        "security/sso/end/",
        _own(single_sign_on.end_connection),
        name="disconnect_single_sign_on",
    ),
    path("password_change/", _own(change_password), name="change_password"),
    path("security/", _own(security_page.show_security), name="security"),
    path("security/phone/", _own(security_page.enrol_phone), name="enrol_phone"),
    path("security/passkey/", _own(security_page.enrol_passkey), name="enrol_passkey"),
    path(
        "security/codes/",
        _own(require_POST(security_page.new_recovery_codes)),
        name="new_recovery_codes",
    ),
    path("security/remove/", _own(require_POST(security_page.remove)), name="remove_factor"),
    path("security/signing-key/", _own(signing_keys.register), name="register_signing_key"),
    path(
        "log-keys/",
        page(
            step_up(log_keys.show_log_keys), permission=signing_keys.LOOK, to_post=log_keys.APPROVE
        ),
        name="log_keys",
    ),
    path(
        "log-keys/loss/",
        require_POST(page(step_up(log_losses.propose_gap), permission=log_losses.PROPOSE)),
        name="propose_log_gap",
    ),
    path(
        "log-keys/loss/<uuid:proposal>/",
        require_POST(page(step_up(log_losses.confirm_gap), permission=log_losses.CONFIRM)),
        name="confirm_log_gap",
    ),
    path(
        "people/signing-keys/",
        page(signing_keys.show_keys, permission=signing_keys.LOOK),
        name="signing_keys",
    ),
    path(
        "people/signing-keys/<str:key_id>/<str:decision>/",
        require_POST(page(step_up(signing_keys.decide), permission=signing_keys.DECIDE)),
        name="decide_signing_key",
    ),
    path("security/end/", _own(require_POST(step_up(sessions.end_own))), name="end_own_session"),
    path("sessions/", page(sessions.show_all, permission=sessions.LOOK), name="sessions"),
    path(
        "sessions/end/",
        require_POST(page(sessions.end, permission=sessions.END)),
        name="end_session",
    ),
    path("notices/", _own(require_POST(acknowledge)), name="acknowledge_notices"),
    path("people/", page(people_list.show_people, permission=person_page.LOOK), name="people"),
    path("people/new/", page(person_page.add_person, permission=ADD), name="add_person"),
    path(
        "people/requests/",
        page(access_requests.show_requests, permission=access_requests.LOOK),
        name="access_requests",
    ),
    path(
        "people/requests/<int:pk>/approve/",
        require_POST(page(access_requests.approve, permission=access_requests.DECIDE)),
        name="approve_access",
    ),
    path(
        "people/requests/<int:pk>/reject/",
        require_POST(page(access_requests.reject, permission=access_requests.DECIDE)),
        name="reject_access",
    ),
    path(
        "people/<int:person>/",
        page(person_page.show_person, permission=person_page.LOOK),
        name="person",
    ),
    path(
        "people/<int:person>/details/",
        require_POST(page(person_page.change_details, permission=person_page.CHANGE)),
        name="change_details",
    ),
    path(
        "people/<int:person>/close/",
        require_POST(page(person_page.close, permission=person_page.REQUEST)),
        name="close_account",
    ),
    path(
        "people/<int:person>/change/<str:kind>/",
        require_POST(page(person_page.change_access, permission=person_page.REQUEST)),
        name="change_access",
    ),
    path(
        "people/<int:person>/directory/",
        require_POST(page(person_page.hand_to_directory, permission=person_page.REQUEST)),
        name="hand_to_directory",
    ),
    path(
        "people/<int:person>/directory/end/",
        require_POST(page(person_page.take_from_directory, permission=person_page.REQUEST)),
        name="take_from_directory",
    ),
    path(
        "people/<int:person>/unlock/",
        require_POST(page(unlock_account, permission="auth.change_user")),
        name="unlock_account",
    ),
]
