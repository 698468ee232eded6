"""Settings. What differs between installations is read from the environment, typed and loudly.

| variable | meaning | without it |
|---|---|---|
| DATABASE_URL | PostgreSQL 15 or later | the clone's own embedded server |
| DATABASE_REPLICA_URL | its streaming replica, for reports and exports | they read the database |
| CELERY_BROKER_URL | Valkey, Redis or RabbitMQ | the clone's own embedded Valkey |
| LOG_KEY_FILE | the key that signs the audit log; for workers only | nothing is signed |
| CELERY_QUEUE | the queue, another one for each installation on one broker | `sabot` |
| SECRET_KEY | Django's signing key | a random one kept in `var/` |
| SECRET_KEY_FALLBACKS | keys from before, which still open what they signed and sealed | none |
| ALLOWED_HOSTS | host names that are served | this machine only |
| CSRF_TRUSTED_ORIGINS | origins behind a proxy | none |
| DEBUG | Django's debug pages | off |
| SECURE_COOKIES | cookies over HTTPS only | off (the demo speaks HTTP on the loopback) |
| LOGIN_FAILURES | failed logins of one account from one address until it is locked there | 5 |
| LOGIN_LOCKOUT_MINUTES | how long; failures that lie further apart are not counted together | 15 |
| CONFIRMED_MINUTES | how long a second factor that was given counts for decisions about money | 5 |
| TRUSTED_PROXIES | how many of our own proxies stand before the web process | 0 |
| FEED_UPLOAD_MB | the largest feed file that can be uploaded on a page, in MiB, unpacked | 512 |
| WEBHOOKS_TO_LOOPBACK | events may be sent to this machine, without TLS, as a trial | as DEBUG |
| SABOT_EXPORTS | the folder of the bundles for the regulator | `var/exports` |
| SABOT_EXPORT_KEY | the key that signs them, for whoever exports | `var/export-key/export.key` |
| SABOT_LARGE_WIN_CENTS | from which payment on a win stands in the report of large wins | 1000000 |
| LOG_LEVEL | INFO, WARNING … | INFO |
"""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from django.utils.translation import gettext_lazy as _

from casino.appearance import UNFOLD
from casino.beat import BELLS, beat_schedule
from casino.broker import bell_route, transport_options
from casino.databases import databases

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"

__all__ = ["UNFOLD"]  # Django reads it from here

env = environ.Env()


def _kept_secret_key() -> str:
    """A random key, made once for this clone and readable by its owner only."""
    path = VAR_DIR / "secret-key"
    if not path.exists():
        VAR_DIR.mkdir(exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


def _database() -> dict[str, Any]:
    """The database of DATABASE_URL, else the clone's own."""
    if "DATABASE_URL" in env.ENVIRON:
        return dict(env.db_url("DATABASE_URL"))
    from casino import embedded  # noqa: PLC0415  only clones without DATABASE_URL need it

    return embedded.database_settings()


def _broker_url() -> str:
    """The broker of CELERY_BROKER_URL, else the clone's own."""
    if "CELERY_BROKER_URL" in env.ENVIRON:
        return str(env.str("CELERY_BROKER_URL"))
    from casino import embedded  # noqa: PLC0415  only clones without CELERY_BROKER_URL need it

    return embedded.urls().broker_url


SECRET_KEY = env.str("SECRET_KEY", default="") or _kept_secret_key()
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("SECURE_COOKIES", default=False)
SESSION_ENGINE = "casino.doors.sessions"
SESSION_COOKIE_AGE = 8 * 60 * 60  # a shift
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin.apps.SimpleAdminConfig",  # only who serves pages loads them: casino.urls
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
    "drf_spectacular_sidecar",  # static files of the reference page, so that no other host is asked
    "import_export",
    "axes",
    "allauth.account",  # of its pages none is served; allauth.mfa does not go without it
    "allauth.mfa",
    "casino",
    "compliance.trail",
    "rounds",
    "payouts",
    "payouts.api",
    "compliance.certification",
    "compliance.exports",
    "compliance.monitoring",
]

MIDDLEWARE = [
    "payouts.api.before_views.ProblemsBeforeViews",  # outermost: what the others refuse, too
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "casino.doors.sessions.SeenSessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "casino.doors.page_views.RecordedPageViews",
    "casino.doors.only_read.AuditorsOnlyRead",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
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

DATABASES = databases(_database(), replica_url=env.str("DATABASE_REPLICA_URL", default=None))
DATABASE_ROUTERS = ["compliance.replica.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # first: a locked account's password is not tried
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
AXES_HANDLER = "casino.doors.logins.RecordedLogins"
AXES_LOCKOUT_CALLABLE = "casino.doors.login_page.say_locked"
AXES_CLIENT_IP_CALLABLE = "casino.doors.address.address_of"
AXES_USERNAME_CALLABLE = "casino.doors.logins.counted_name"
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURES", default=5)
AXES_COOLOFF_TIME = timedelta(minutes=env.int("LOGIN_LOCKOUT_MINUTES", default=15))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # else anybody could lock for good
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # the trail is where logins are kept
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "code", "credential"]  # not kept

CONFIRMED_FOR = timedelta(minutes=env.int("CONFIRMED_MINUTES", default=5))
MFA_ADAPTER = "casino.doors.sealed_factors.SealedFactors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Sabot"

LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "templates" / "locale"]
TIME_ZONE = "Europe/Rome"  # what people read; the database keeps UTC
USE_TZ = True
USE_THOUSAND_SEPARATOR = True

# The web process reads the folder, for downloads, and should not be able to read the key.
EXPORTS_FOLDER = env.str("SABOT_EXPORTS", default=str(VAR_DIR / "exports"))
EXPORT_KEY = env.str("SABOT_EXPORT_KEY", default=str(VAR_DIR / "export-key" / "export.key"))
LARGE_WIN_CENTS = env.int("SABOT_LARGE_WIN_CENTS", default=1_000_000)

FEED_UPLOAD_BYTES = env.int("FEED_UPLOAD_MB", default=512) << 20
FILE_UPLOAD_HANDLERS = [
    "payouts.pages.uploads_capped.CappedUpload",  # first: what is too large is not even kept
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "templates" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "payouts.api.schema.ApiSchema",
    "URL_FORMAT_OVERRIDE": None,  # Accept says which form an answer has, and nothing else
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Sabot",
    "VERSION": "v1",
    "DESCRIPTION": "Rounds in, results, explanations and disputes out.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "TAGS": [  # in the order in which the reference shows them
        {"name": "rounds", "description": "Delivered, judged, settled, proved."},
        {"name": "customers", "description": "What a customer played, and a token of his own."},
        {"name": "disputes", "description": "What a customer contests, and its dossiers."},
        {"name": "exports", "description": "What the regulator gets: bundles and certificates."},
        {"name": "events", "description": "What became of rounds, to poll or to be sent."},
        {"name": "webhooks", "description": "Where events are sent, and what could not be."},
        {"name": "about", "description": "The API itself."},
    ],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "payouts.api.schema.add_problems",
        "payouts.api.events.described.add_webhooks",
        "payouts.api.links.add_links",
    ],
}

CELERY_BROKER_URL = _broker_url()
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(CELERY_BROKER_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker, however long
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # RabbitMQ may still hold what a lost connection held
CELERY_BROKER_HEARTBEAT = 30  # seconds; a RabbitMQ that hangs is noticed within three of them
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="sabot")
# In RabbitMQ replicated: it is there as long as most of the nodes are. Valkey knows no types.
CELERY_TASK_DEFAULT_QUEUE_TYPE = "quorum"
CELERY_TASK_ROUTES = dict.fromkeys(
    BELLS, bell_route(CELERY_BROKER_URL, queue=CELERY_TASK_DEFAULT_QUEUE)
)
# The database is the truth: a task only says "look", so it may be lost, late or doubled.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_CONSUMER = "casino.consumer:QuietConsumer"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = beat_schedule(CELERY_BROKER_URL)

# Whether a webhook may lead to this machine; elsewhere it leads to public hosts over TLS, always.
WEBHOOKS_TO_LOOPBACK = env.bool("WEBHOOKS_TO_LOOPBACK", default=DEBUG)

# The private key that signs heads of the audit log. Only the worker's environment names it.
LOG_KEY_FILE = env.str("LOG_KEY_FILE", default="")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"axes": {"level": "WARNING"}},  # it tells every step of every login
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
}
