"""Checks that nobody between the hosts reads what they send each other."""

from contextlib import suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from casino.operations.checks.check_result import CheckResult, ok, warning

_NEEDED: Final = "a server that proves its name, or one on this host"


def database_is_encrypted() -> CheckResult:
    """With the server's name verified: whoever answers in its place reads passwords and cards."""
    connection.ensure_connection()
    server = connection.connection.pgconn
    if _is_here(server.host.decode()) or _is_here(server.hostaddr.decode()):
        return ok("on this host", _NEEDED)
    if not server.ssl_in_use:
        found = "clear text"
    elif connection.connection.info.get_parameters().get("sslmode") != "verify-full":
        found = "TLS, with whoever answers"
    else:
        return ok("TLS, verified", _NEEDED)
    return warning(found, _NEEDED, "sslmode=verify-full in DATABASE_URL (docs/securing.md)")


def broker_is_encrypted() -> CheckResult:
    """Each node; Sabot verifies the names of those with TLS."""
    nodes = [urlsplit(node) for node in settings.CELERY_BROKER_URL.split(";")]
    if all("+socket" in node.scheme or _is_here(node.hostname or "") for node in nodes):
        return ok("on this host", _NEEDED)
    if settings.CELERY_BROKER_USE_SSL is None:
        todo = "amqps:// or rediss:// in CELERY_BROKER_URL (docs/securing.md)"
        return warning("clear text", _NEEDED, todo)
    return ok("TLS, verified", _NEEDED)


def _is_here(host: str) -> bool:
    """Whether a host, or the folder of a socket, is of this machine."""
    if host == "localhost" or host.startswith(("/", "@")):
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False
