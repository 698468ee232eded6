"""The Django project: applications, middleware, templates, static files and languages."""

from django.utils.translation import gettext_lazy as _

from casino.backoffice.site import appearance
from casino.settings.environment import VAR_DIR, templates_folder

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
    "compliance.impact",
    "compliance.archive",
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
        "DIRS": [templates_folder],
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

LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("en", _("English"))]
LOCALE_PATHS = [templates_folder / "locale"]
TIME_ZONE = "Europe/Rome"  # on pages; the database stores UTC
USE_TZ = True
USE_THOUSAND_SEPARATOR = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [templates_folder / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

UNFOLD = appearance.UNFOLD
