"""Settings. Those that differ between installations are read from the environment.

| variable | meaning | default |
|---|---|---|
| DEMO | whether it is a demo; others refuse unsafe settings | without DATABASE_URL |
| DATABASE_URL | PostgreSQL 15 or later, and the role | the clone's own embedded server |
| DATABASE_ROLE_PREFIX | how the names of the roles of the database begin | `sabot_` |
| DATABASE_REPLICA_URL | its streaming replica, for reports and exports | DATABASE_URL |
| DATABASE_POOLED | whether these lead to a pool in transaction mode, as of PgBouncer | no |
| DATABASE_DIRECT_URL | past the pool, for live pages and locks of a session | none |
| STATEMENT_SECONDS | how long an SQL statement may take | 30 in web processes |
| CELERY_BROKER_URL | Valkey, Redis or RabbitMQ | the clone's own embedded Valkey |
| CELERY_BROKER_CA | its authority's certificate, for `amqps://`, `rediss://` | the system's |
| LOG_KEY_FILE | the key that signs the audit log; for workers only | nothing is signed |
| CELERY_QUEUE | the queue; installations that share a broker need different ones | `sabot` |
| SECRET_KEY | Django's signing key | a random one kept in `var/` |
| SECRET_KEY_FALLBACKS | former keys, which still verify and decrypt | none |
| ALLOWED_HOSTS | host names that are served | this machine only |
| CSRF_TRUSTED_ORIGINS | origins behind a proxy | none |
| DEBUG | Django's debug pages | off |
| HTTPS | pages and API by HTTPS only, which browsers keep to for a year | without DEMO |
| SESSION_IDLE_MINUTES | after which a session ends if its person does nothing | 30 |
| LOGIN_FAILURES | failed logins of an account from one address before it is locked there | 5 |
| LOGIN_LOCKOUT_MINUTES | the duration of that lock, and the period of the count | 15 |
| ACCOUNT_FAILURES | failed logins of an account from all addresses before it is locked | 20 |
| ACCOUNT_LOCKOUT_HOURS | the duration of that lock, and the period of the count | 24 |
| ADDRESS_FAILURES | failed logins of all accounts from one address before it is locked | 100 |
| ADDRESS_LOCKOUT_MINUTES | the duration of that lock, and the period of the count | 60 |
| ONE_TIME_PASSWORD_DAYS | days within which a one-time password must be replaced | 7 |
| SSO_NAME | the identity provider for single sign-on, as people call it | no single sign-on |
| SSO_OIDC_ISSUER | its issuer, if it speaks OpenID Connect: `https://HOST/…` | none |
| SSO_OIDC_CLIENT_ID | its name for Sabot | none |
| SSO_OIDC_CLIENT_SECRET_FILE | the file of the secret that it gave to Sabot | none |
| SSO_CA_FILE | the certificates, in PEM, that sign that of the issuer | the machine's |
| SSO_SAML_METADATA | the file of its metadata, if it speaks SAML | none |
| SSO_SAML_ENTITY_ID | Sabot's entity id there | the address of Sabot's metadata |
| SSO_REQUIRED | whether only administrators may log in with a password instead | no |
| CONFIRMED_MINUTES | how long a second factor is valid for decisions about money | 5 |
| DECISION_DELAY_HOURS | how long a person cannot decide after a change of their access | 24 |
| SANDBOX | whether it is a sandbox for programs, with test tokens | in a demo |
| SANDBOX_RESET_AT | when its timer resets it, for the note on pages: `03:30` | not shown |
| SIGNING_KEY_ROOTS | ids of the first signing keys, or `any` | `any` in a demo |
| SOFTWARE_KEYS | whether signing keys in files count | in a demo |
| RELEASE_KEYS | public keys that sign releases, 64 hex digits each | none |
| RELEASE_LIST | the list of the installed release | `release.json` in the environment |
| INTEGRITY_STOPS | failed checks that stop settlement: `release,schema,trail,books,recheck` | all |
| RECHECK_PERCENT | share of one worker process that verifies stored facts again, 1 to 50 | 5 |
| RECHECK_HOURS | hours of recent rounds that it passes over again and again, 1 to 48 | 6 |
| BROWSER_KEYS | whether signing keys in browsers, without authenticators, are accepted | no |
| DIRECTORY_ROLES | groups of the directory and the role each asks for: `GROUP=ROLE,…` | none |
| EMAIL_URL | the server for notices: `smtp+tls://NAME:PASSWORD@HOST:587` | the worker's log |
| EMAIL_FROM | the sender of notices | `sabot@localhost` |
| SITE_URL | where people open Sabot, for links in messages: `https://HOST` | links without a host |
| CHAT_WEBHOOK_URL | an incoming webhook of Slack or Mattermost; for workers only | no chat |
| CHAT_CHANNEL | its channel, as the notification settings name it | none: no chat to choose |
| ESCALATION_HOURS | after which others are told of what nobody has dealt with | 4 |
| TRUSTED_PROXIES | the number of own proxies before the web process, which end TLS | 0 |
| FEED_UPLOAD_MB | the largest feed file that can be uploaded on a page, in MiB, unpacked | 512 |
| CUSTOMER_DISPUTES_A_DAY | disputes a day that programs may open for one customer | 10 |
| CUSTOMER_FILES_A_DAY, CUSTOMER_EVIDENCE_MB_A_DAY | files a day, and their MiB | 50, 100 |
| CLAMD | ClamAV's daemon, which scans evidence: `unix:/PATH` or `tcp:HOST:PORT` | not scanned |
| DISPUTE_EVIDENCE_MB | MiB of evidence that programs may add to one dispute | 100 |
| WEBHOOKS_TO_LOOPBACK | allows webhooks to this machine, without TLS, for tests | as DEBUG |
| SIEM_SYSLOG | the SIEM's syslog server, by TLS: `HOST:PORT`; for `send_audit_events` only | none |
| SIEM_HTTP_URL | its HTTPS address, which takes JSON arrays of events by POST | none |
| SIEM_HTTP_AUTHORIZATION | the header Authorization of these, as `Bearer TOKEN` | none |
| SIEM_CA_FILE | the certificates, in PEM, that sign those of the SIEM | the machine's |
| SIEM_CLIENT_CERTIFICATE, SIEM_CLIENT_KEY | files in PEM that are shown to the SIEM | none |
| SABOT_VAR | the folder of static files, keys and other files | `var` of the clone or the folder |
| SABOT_EXPORTS | the folder of the bundles for the regulator | `var/exports` |
| SABOT_EXPORT_KEY | the key that signs bundles | `var/export-key/export.key` |
| SABOT_LARGE_WIN_CENTS | the lowest payment in the report of large wins | 1000000 |
| OPERATOR_NAME | the operator, on PDFs | none; `Demo operator` in a demo |
| OPERATOR_LICENCE | its licence, on PDFs | none; `GAD 00000` in a demo |
| ADR_CONTACT | its ADR body, on PDFs | none; `adr@demo.invalid` in a demo |
| CUSTOMER_ORIGINS | origins whose pages call the API with customers' tokens | none |
| VIDEO_ORIGINS | origins whose videos are played, as `https://video.example` | none |
| DRAIN_FILE | while this file exists, `/readyz` says that this host takes no more requests | none |
| METRICS_FOLDER | where processes write what they measure, for `serve_metrics` | not measured |
| OTEL_EXPORTER_OTLP_ENDPOINT | where traces are sent, by OTLP over HTTP | no traces |
| LOG_FORMAT | `json`: a JSON object a line, with the ids of request or task | `plain` |
| LOG_LEVEL | INFO, WARNING … | INFO |
"""

import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from casino.access.single_sign_on.configuration import configured_provider
from casino.api.openapi.settings import OPENAPI_SETTINGS
from casino.backoffice.site.appearance import UNFOLD
from casino.databases import configured_database, databases
from casino.secret_key import stored_secret_key
from casino.workers.beat_schedule import beat_schedule
from casino.workers.broker import configured_broker, tls_options, transport_options
from casino.workers.queues import task_routes

__all__ = ["UNFOLD"]  # Django reads it from here

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
_IS_CLONE = (BASE_DIR / "manage.py").exists()
# The package has the templates inside casino: nothing of ours is called so in site-packages.
_TEMPLATES = BASE_DIR / "templates" if _IS_CLONE else BASE_DIR / "casino" / "templates"
VAR_DIR = Path(env.str("SABOT_VAR", default="") or (BASE_DIR if _IS_CLONE else Path.cwd()) / "var")

SECRET_KEY = env.str("SECRET_KEY", default="") or stored_secret_key(VAR_DIR)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

DEMO = env.bool("DEMO", default="DATABASE_URL" not in env.ENVIRON)
# Outside of a demo a web process or worker does not start without (casino.operations.safe_start).
HTTPS = env.bool("HTTPS", default=not DEMO)
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [
    r"^api/",
    r"^scim/",
]  # a program that sends its key in clear text has to notice
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
# Lists in browsers are by registered domain: whether to be on one is for its owner to decide.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
# With this prefix a browser takes them from this host by HTTPS only, not from a sibling domain.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True  # forms have the token, scripts need none
LANGUAGE_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # not in a cookie
SESSION_ENGINE = "casino.access.session_store"
SESSION_COOKIE_AGE = 8 * 60 * 60  # a shift, from the login on
SESSION_IDLE_TIME = timedelta(minutes=env.int("SESSION_IDLE_MINUTES", default=30))
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "casino.backoffice.site.error_pages.form_not_checked"

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",  # without a site of its own
    "casino.backoffice.site.admin_site.BackOfficeAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",  # static files of the API reference, served from here
    "axes",
    "allauth.account",  # needed by allauth.mfa; its pages are not served
    "allauth.mfa",
    "allauth.socialaccount",  # connected identities; its pages are not served either
    "casino",
    "compliance.trail",
    "compliance.signatures",
    "compliance.siem",
    "rounds",
    "payouts",
    "casino.integrations",
    "compliance.notifications",
    "compliance.retention",
    "compliance.certification",
    "compliance.exports",
    "compliance.monitoring",
    "casino.backoffice",
]

PGTRIGGER_PRUNE_ON_INSTALL = False  # it would remove the triggers of partitions

MIDDLEWARE = [
    "casino.page_policy.PagePolicyMiddleware",  # outermost: headers of every response
    "casino.operations.probes.ProbeMiddleware",  # needs no session and no host name
    "casino.operations.traces.TracedRequests",
    "casino.operations.metrics.timed_requests.TimedRequests",
    "casino.operations.logged_requests.LoggedRequests",
    "corsheaders.middleware.CorsMiddleware",  # outside: browsers hide errors without its headers
    "casino.api.middleware.ProblemMiddleware",  # outside all others, for their errors
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.backoffice.site.compression.CompressedPages",  # outside all that reads or writes pages
    "casino.backoffice.site.error_pages.NoBlankPages",
    "casino.access.session_store.SessionActivityMiddleware",
    "casino.access.lockout_by_account.KnownBrowserMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.backoffice.site.body_limits.LimitedBodies",  # before middleware that reads a form
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "casino.backoffice.security.required_setup.RequiredSetup",
    "casino.backoffice.site.return_to_form.BackToTheForm",
    "casino.access.page_view_log.PageViewMiddleware",
    "casino.access.read_only_roles.ReadOnlyAuditorMiddleware",
    "axes.middleware.AxesMiddleware",
    "casino.backoffice.signatures.signing.SignatureMiddleware",
    "casino.backoffice.drafts.submitted_drafts.SubmittedDraftsMiddleware",  # innermost
]

ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_TEMPLATES],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = databases(
    configured_database(env),
    replica_url=env.str("DATABASE_REPLICA_URL", default=None),
    direct_url=env.str("DATABASE_DIRECT_URL", default=None),
    is_pooled=env.bool("DATABASE_POOLED", default=False),
    statement_seconds=env.int("STATEMENT_SECONDS", default=0),
)
DATABASE_ROLE_PREFIX = env.str("DATABASE_ROLE_PREFIX", default="sabot_")
DATABASE_ROUTERS = ["compliance.storage.replica.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

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
# For integrators: nothing in it is real. The database must say the same (compliance.trail.sandbox).
SANDBOX = env.bool("SANDBOX", default=DEMO)
SANDBOX_RESET_AT = env.str("SANDBOX_RESET_AT", default="")
# Rows alone make no first key: one writer to the database could decide as two persons.
SIGNING_KEY_ROOTS = env.list("SIGNING_KEY_ROOTS", default=["any"] if DEMO else [])
# Who may sign a release is said from outside; the list lies where the release was installed.
RELEASE_KEYS = env.list("RELEASE_KEYS", default=[])
RELEASE_LIST = env.str("RELEASE_LIST", default=str(Path(sys.prefix).resolve() / "release.json"))
# The checks of integrity whose failure stops settlement; the others only tell.
_CHECKS = ["release", "schema", "trail", "books", "recheck"]
INTEGRITY_STOPS = env.list("INTEGRITY_STOPS", default=_CHECKS)
if unknown := sorted(set(INTEGRITY_STOPS) - {*_CHECKS, ""}):
    needed = ", ".join(_CHECKS)
    raise ImproperlyConfigured(f"INTEGRITY_STOPS: found {unknown[0]}; needed any of {needed}")
# The random share that workers verify again: percent of one process's time, and the recent hours.
RECHECK_PERCENT = env.int("RECHECK_PERCENT", default=5)
RECHECK_HOURS = env.int("RECHECK_HOURS", default=6)
for _name, _found, _most in (
    ("RECHECK_PERCENT", RECHECK_PERCENT, 50),
    ("RECHECK_HOURS", RECHECK_HOURS, 48),
):
    if not 1 <= _found <= _most:
        raise ImproperlyConfigured(f"{_name}: found {_found}; needed a number from 1 to {_most}")
# Groups of the staff's directory, each with the role that it asks for (docs/administrator).
DIRECTORY_ROLES = env.list("DIRECTORY_ROLES", default=[])
# The demo's signing keys lie in files. Other installations need authenticators.
SOFTWARE_KEYS = env.bool("SOFTWARE_KEYS", default=DEMO)
# An installation without authenticators may accept keys that browsers make (docs/access.md).
BROWSER_KEYS = env.bool("BROWSER_KEYS", default=False)
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", default="sabot@localhost")

SITE_URL = env.str("SITE_URL", default="").rstrip("/")
# The address is a secret: who knows it can post to the channel. Only workers need it.
CHAT_WEBHOOK_URL = env.str("CHAT_WEBHOOK_URL", default="")
CHAT_CHANNEL = env.str("CHAT_CHANNEL", default="")
ESCALATION_HOURS = env.int("ESCALATION_HOURS", default=4)

CONFIRMED_FOR = timedelta(minutes=env.int("CONFIRMED_MINUTES", default=5))
MFA_ADAPTER = "casino.access.factor_encryption.EncryptedFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Sabot"

LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("en", _("English"))]
LOCALE_PATHS = [_TEMPLATES / "locale"]
TIME_ZONE = "Europe/Rome"  # on pages; the database stores UTC
USE_TZ = True
USE_THOUSAND_SEPARATOR = True

# The web process reads the folder for downloads, and must not be able to read the key.
EXPORTS_FOLDER = env.str("SABOT_EXPORTS", default=str(VAR_DIR / "exports"))
EXPORT_KEY = env.str("SABOT_EXPORT_KEY", default=str(VAR_DIR / "export-key" / "export.key"))
LARGE_WIN_CENTS = env.int("SABOT_LARGE_WIN_CENTS", default=1_000_000)

# The letterhead of PDFs. Its lines are left out where nothing names them.
OPERATOR_NAME = env.str("OPERATOR_NAME", default="Demo operator" if DEMO else "")
OPERATOR_LICENCE = env.str("OPERATOR_LICENCE", default="GAD 00000" if DEMO else "")
ADR_CONTACT = env.str("ADR_CONTACT", default="adr@demo.invalid" if DEMO else "")

# How far the times of a document may be from its arrival (``rounds.arrival``).
MAX_CLOCK_SKEW_SECONDS = env.int("MAX_CLOCK_SKEW_SECONDS", default=300)
MAX_LATENESS_DAYS = env.int("MAX_LATENESS_DAYS", default=31)

FEED_UPLOAD_BYTES = env.int("FEED_UPLOAD_MB", default=512) << 20
DATA_UPLOAD_MAX_NUMBER_FILES = 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000
FILE_UPLOAD_HANDLERS = [
    "casino.backoffice.feed.upload_size.CappedUpload",  # first: rejects files that are too large
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

CUSTOMER_DISPUTES_A_DAY = env.int("CUSTOMER_DISPUTES_A_DAY", default=10)
CUSTOMER_FILES_A_DAY = env.int("CUSTOMER_FILES_A_DAY", default=50)
CUSTOMER_EVIDENCE_BYTES_A_DAY = env.int("CUSTOMER_EVIDENCE_MB_A_DAY", default=100) << 20
CLAMD = env.str("CLAMD", default="")
DISPUTE_EVIDENCE_BYTES = env.int("DISPUTE_EVIDENCE_MB", default=100) << 20

# Pages of these call the API from customers' browsers, with customers' tokens and without cookies.
CUSTOMER_ORIGINS = env.list("CUSTOMER_ORIGINS", default=[])
CORS_ALLOWED_ORIGINS = CUSTOMER_ORIGINS
CORS_URLS_REGEX = r"^/api/v1(/|$)"
CORS_ALLOW_METHODS = ("GET", "POST")  # what customers' tokens may do
CORS_ALLOW_HEADERS = (
    *("accept", "accept-language", "authorization", "content-type"),
    *("idempotency-key", "if-match", "if-none-match"),
)
CORS_EXPOSE_HEADERS = (
    *("Content-Disposition", "ETag", "Idempotent-Replayed", "Location"),
    *("RateLimit", "RateLimit-Policy", "Request-Id", "Retry-After"),
)

# The page's Content-Security-Policy allows media of these, and of nothing else.
VIDEO_ORIGINS = env.list("VIDEO_ORIGINS", default=[])

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [_TEMPLATES / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "casino.api.openapi.schema.ApiSchema",
    "URL_FORMAT_OVERRIDE": None,  # the format is negotiated by Accept alone
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
}
SPECTACULAR_SETTINGS = OPENAPI_SETTINGS

CELERY_BROKER_URL = configured_broker(env)
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(CELERY_BROKER_URL)
CELERY_BROKER_USE_SSL = tls_options(
    CELERY_BROKER_URL, authority=env.str("CELERY_BROKER_CA", default="")
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers wait for the broker without a limit
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # RabbitMQ may not have released a lost connection
CELERY_BROKER_HEARTBEAT = 30  # seconds; detects a RabbitMQ that hangs within three
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="sabot")
# Replicated queues in RabbitMQ, available while most nodes are. Valkey has no queue types.
CELERY_TASK_DEFAULT_QUEUE_TYPE = CELERY_TASK_CREATE_MISSING_QUEUE_TYPE = "quorum"
CELERY_TASK_ROUTES = task_routes(CELERY_BROKER_URL, queue=CELERY_TASK_DEFAULT_QUEUE)
# The database is the source of truth: a task is a wake-up, which may be lost, late or repeated.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_CONSUMER = "casino.workers.consumer:QuietConsumer"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = beat_schedule(CELERY_BROKER_URL, queue=CELERY_TASK_DEFAULT_QUEUE)

# Whether webhooks may call this machine; other hosts must be public and use TLS.
WEBHOOKS_TO_LOOPBACK = env.bool("WEBHOOKS_TO_LOOPBACK", default=DEBUG)

# Where the audit log is sent (compliance/siem). Only the environment of send_audit_events names it.
SIEM_SYSLOG = env.str("SIEM_SYSLOG", default="")
SIEM_HTTP_URL = env.str("SIEM_HTTP_URL", default="")
SIEM_HTTP_AUTHORIZATION = env.str("SIEM_HTTP_AUTHORIZATION", default="")
SIEM_CA_FILE = env.str("SIEM_CA_FILE", default="")
SIEM_CLIENT_CERTIFICATE = env.str("SIEM_CLIENT_CERTIFICATE", default="")
SIEM_CLIENT_KEY = env.str("SIEM_CLIENT_KEY", default="")

# Made before a web host stops, so that the proxy has taken it away by then.
DRAIN_FILE = env.str("DRAIN_FILE", default="")

# Where processes write what they measure (casino/operations/metrics). The client library reads it
# from the environment when it is imported, which is later.
METRICS_FOLDER = env.str("METRICS_FOLDER", default="")
if METRICS_FOLDER:
    Path(METRICS_FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER

# The private key that signs tree heads of the audit log. Only the worker's environment names it.
LOG_KEY_FILE = env.str("LOG_KEY_FILE", default="")

TRACES = bool(env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default=""))

LOG_FORMAT = env.str("LOG_FORMAT", default="plain")
if LOG_FORMAT not in {"plain", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT: found {LOG_FORMAT}; needed plain or json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "casino.operations.json_logs.formatter"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    # It logs every step of every login, and its warnings name the account and the address.
    "loggers": {"axes": {"level": "ERROR" if LOG_FORMAT == "json" else "WARNING"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
}
