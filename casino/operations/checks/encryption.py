"""Checks that nobody between the hosts reads what they send each other."""

from typing import Final

from django.conf import settings
from django.db import connection

from casino.operations.checks.check_result import CheckResult, error, ok, warning
from casino.operations.checks.clear_text import clear_text_connections, is_here, is_vouched_for

_NEEDED: Final = "a server that proves its name, or one on this host"


def database_is_encrypted() -> CheckResult:
    """With the server's name verified: whoever answers in its place reads passwords and cards."""
    connection.ensure_connection()
    server = connection.connection.pgconn
    host = server.host.decode()
    if is_here(host) or is_here(server.hostaddr.decode()):
        return ok("on this host", _NEEDED)
    if not server.ssl_in_use:
        found = "clear text"
    elif connection.connection.info.get_parameters().get("sslmode") != "verify-full":
        found = "TLS, with whoever answers"
    else:
        return ok("TLS, verified", _NEEDED)
    if is_vouched_for(host):
        return ok(f"{found}, which CLEAR_TEXT_HOSTS allows", _NEEDED)
    return warning(found, _NEEDED, "sslmode=verify-full in DATABASE_URL (docs/securing.md)")


def settings_are_encrypted() -> CheckResult:
    """What the settings say of databases, broker, mail, scanner, traces and archive elsewhere."""
    needed = "TLS to other hosts"
    connections = list(clear_text_connections())
    if not connections:
        return ok("TLS, verified, or on this host", needed)
    found = ", ".join(dict.fromkeys(connection.variable for connection in connections))
    todo = f"{connections[0].needed} in {connections[0].variable} (docs/securing.md)"
    problem = warning if settings.DEMO else error
    hosts = ", ".join(dict.fromkeys(connection.host for connection in connections))
    return problem(f"clear text by {found}", needed, todo, detail=hosts)
