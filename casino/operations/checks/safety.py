"""Checks of settings that suit a demo and not an installation with real money."""

from typing import Final

from django.conf import settings

from casino.operations.checks.check_result import CheckResult, error, ok, warning

_KEY_LENGTH: Final = 50
_FEWEST_CHARACTERS: Final = 5
_EXAMPLES: Final = ("CHANGE-ME", "django-insecure-")


def debug_is_off() -> CheckResult:
    """An error page of Django shows code and settings."""
    if settings.DEBUG:
        return error("on", "off", "unset DEBUG")
    return ok("off", "off")


def software_keys_are_off() -> CheckResult:
    """Keys in files sign without a person."""
    if settings.SOFTWARE_KEYS and settings.SANDBOX:
        return warning("accepted", "refused", "unset SOFTWARE_KEYS unless programs sign here")
    if settings.SOFTWARE_KEYS:
        return error("accepted", "refused", "unset SOFTWARE_KEYS, and set DATABASE_URL")
    return ok("refused", "refused")


def https_is_required() -> CheckResult:
    """Who listens on a network reads what is sent without: pages, passwords, keys of programs."""
    if not settings.HTTPS:
        return error("HTTP, too", "HTTPS only", "unset HTTPS")
    return ok("HTTPS only", "HTTPS only")


def secret_key_is_secret() -> CheckResult:
    """It signs sessions and encrypts second factors: it may be neither guessed nor an example."""
    key, needed = settings.SECRET_KEY, f"{_KEY_LENGTH} random characters"
    todo = "set SECRET_KEY, the same on every host"
    if len(key) < _KEY_LENGTH:
        return error(f"{len(key)} characters", needed, todo)
    if key.startswith(_EXAMPLES) or len(set(key)) < _FEWEST_CHARACTERS:
        return error("an example", needed, todo)
    return ok(needed, needed)


def hosts_are_named() -> CheckResult:
    """A page is served under the names of the installation only."""
    needed = "the names of the site"
    if "*" in settings.ALLOWED_HOSTS:
        return error("every name", needed, "set ALLOWED_HOSTS on web hosts")
    return ok(f"{len(settings.ALLOWED_HOSTS)} names", needed)


def webhooks_stay_outside() -> CheckResult:
    """Webhooks that call this machine could reach what only it may."""
    if settings.WEBHOOKS_TO_LOOPBACK:
        return error("to this machine, too", "to public hosts", "unset WEBHOOKS_TO_LOOPBACK")
    return ok("to public hosts", "to public hosts")


def browser_keys_are_off() -> CheckResult:
    """A key in a browser is copied with the browser's files."""
    if settings.BROWSER_KEYS:
        todo = "give people security keys, then unset BROWSER_KEYS"
        return warning("accepted", "authenticators", todo)
    return ok("refused", "refused")
