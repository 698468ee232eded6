"""Secrets, hosts, HTTPS and cookies."""

from datetime import timedelta

from casino.secret_key import stored_secret_key
from casino.settings.environment import DEMO, VAR_DIR, env

SECRET_KEY = env.str("SECRET_KEY", default="") or stored_secret_key(VAR_DIR)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# Outside of a demo a web process or worker does not start without (casino.operations.safe_start).
HTTPS = env.bool("HTTPS", default=not DEMO)
# Whose network encrypts by itself: connections to these may be in clear text.
CLEAR_TEXT_HOSTS = env.list("CLEAR_TEXT_HOSTS", default=[])
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
MESSAGE_STORAGE = "casino.backoffice.site.noted_messages.NotedMessages"  # not in a cookie
SESSION_ENGINE = "casino.access.session_store"
SESSION_COOKIE_AGE = 8 * 60 * 60  # a shift, from the login on
SESSION_IDLE_TIME = timedelta(minutes=env.int("SESSION_IDLE_MINUTES", default=30))
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "casino.backoffice.site.error_pages.form_not_checked"
