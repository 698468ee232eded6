"""People: passwords, lockouts, single sign-on, second factors and signing keys."""

from datetime import timedelta
from typing import Any

from casino.access.single_sign_on.configuration import configured_provider
from casino.settings.environment import DEMO, env

# Of any characters, and as long as wanted (OWASP ASVS 5, 6.2).
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "casino.access.passwords.strength.StrengthValidator"},
]
ONE_TIME_PASSWORD_LIFETIME = timedelta(days=env.int("ONE_TIME_PASSWORD_DAYS", default=7))
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # first: locked accounts are not authenticated
    "casino.access.auth_backend.RolePermissions",
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

AXES_HANDLER = "casino.access.login_records.LoginRecordingHandler"
AXES_LOCKOUT_CALLABLE = "casino.backoffice.security.login_form.locked_response"
AXES_CLIENT_IP_CALLABLE = "casino.access.client_address.address_of"
AXES_USERNAME_CALLABLE = "casino.access.login_records.counted_name"
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURES", default=5)
AXES_COOLOFF_TIME = timedelta(minutes=env.int("LOGIN_LOCKOUT_MINUTES", default=15))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # else anybody could lock an account forever
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # logins are in the audit trail
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
ACCOUNT_FAILURE_LIMIT = env.int("ACCOUNT_FAILURES", default=20)
ACCOUNT_LOCKOUT_TIME = timedelta(hours=env.int("ACCOUNT_LOCKOUT_HOURS", default=24))
ADDRESS_FAILURE_LIMIT = env.int("ADDRESS_FAILURES", default=100)
ADDRESS_LOCKOUT_TIME = timedelta(minutes=env.int("ADDRESS_LOCKOUT_MINUTES", default=60))
AXES_SENSITIVE_PARAMETERS = [  # not kept
    *("username", "ip_address", "code", "credential", "state", "SAMLResponse", "RelayState"),
]
# Another provider's login in the place of passwords (casino/access/single_sign_on).
SINGLE_SIGN_ON = configured_provider(env, is_demo=DEMO)
SSO_REQUIRED = env.bool("SSO_REQUIRED", default=False)
SOCIALACCOUNT_ADAPTER = "casino.access.single_sign_on.allauth_adapter.SingleSignOnAdapter"

DECISION_DELAY = timedelta(hours=env.int("DECISION_DELAY_HOURS", default=24))
# Rows alone make no first key: one writer to the database could decide as two persons.
SIGNING_KEY_ROOTS = env.list("SIGNING_KEY_ROOTS", default=["any"] if DEMO else [])
# Groups of the staff's directory, each with the role that it asks for (docs/administrator).
DIRECTORY_ROLES = env.list("DIRECTORY_ROLES", default=[])
# The demo's signing keys lie in files. Other installations need authenticators.
SOFTWARE_KEYS = env.bool("SOFTWARE_KEYS", default=DEMO)
# An installation without authenticators may accept keys that browsers make (docs/access.md).
BROWSER_KEYS = env.bool("BROWSER_KEYS", default=False)

CONFIRMED_FOR = timedelta(minutes=env.int("CONFIRMED_MINUTES", default=5))
MFA_ADAPTER = "casino.access.factor_encryption.EncryptedFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Sabot"
