"""Connections to other hosts that the settings leave without TLS, or without a verified name.

The settings alone decide, so a process knows before it connects to anybody.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from psycopg.pq import Conninfo

from compliance.storage.replica import REPLICA
from compliance.storage.sessions import DIRECT

_DATABASES: Final = {
    DEFAULT_DB_ALIAS: "DATABASE_URL",
    REPLICA: "DATABASE_REPLICA_URL",
    DIRECT: "DATABASE_DIRECT_URL",
}
_VERIFIED: Final = "verify-full"
_BROKERS_WITH_TLS: Final = ("amqps", "rediss")
_OF_LIBPQ: Final = ("host", "hostaddr", "sslmode")


class ClearText(NamedTuple):
    """A connection that others on the network can read, or whose server anybody can play."""

    variable: str
    host: str
    found: str
    """What of the variable is at fault; never a name of a person or a password."""
    needed: str

    def __str__(self) -> str:
        """As the refusal to start names it."""
        return (
            f"{self.variable}: found {self.found} to {self.host}; needed {self.needed}, or the host"
            " in CLEAR_TEXT_HOSTS if its network encrypts"
        )


def clear_text_connections() -> Iterator[ClearText]:
    """Those of databases, broker, mail, scanner, traces and archive to hosts nobody vouched for.

    What goes to a SIEM, the identity provider, chats and webhooks has TLS in any case.
    """
    for connection in _connections():
        host = connection.host  # empty: the library's own choice, which is this host
        if host and not is_here(host) and not is_vouched_for(host):
            yield connection


def is_here(host: str) -> bool:
    """Whether a host, or the folder of a socket, is of this machine."""
    if host == "localhost" or host.startswith(("/", "@")):
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def is_vouched_for(host: str) -> bool:
    """Whether CLEAR_TEXT_HOSTS says that the network to this host encrypts."""
    return host.lower() in {name.lower() for name in settings.CLEAR_TEXT_HOSTS}


def _connections() -> Iterator[ClearText]:
    for alias, variable in _DATABASES.items():
        if alias in settings.DATABASES:
            yield from _of_database(variable, settings.DATABASES[alias])
    yield from _of_broker()
    if settings.EMAIL_BACKEND.endswith(".smtp.EmailBackend") and not (
        settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    ):
        host = settings.EMAIL_HOST or ""
        yield ClearText("EMAIL_URL", host, "smtp://", "smtp+tls:// or smtp+ssl://")
    scanner = urlsplit(settings.CLAMD)
    if scanner.scheme == "tcp":
        host = scanner.path.rpartition(":")[0]
        yield ClearText("CLAMD", host, "tcp:", "unix:/PATH of a scanner on this host")
    traces = urlsplit(settings.TRACES_ENDPOINT)
    if settings.TRACES and traces.scheme != "https":
        host, found = traces.hostname or "", f"{traces.scheme}://"
        yield ClearText("OTEL_EXPORTER_OTLP_ENDPOINT", host, found, "https://")
    store = urlsplit(settings.ARCHIVE_ENDPOINT)  # empty: Amazon's, by TLS
    if settings.ARCHIVE_BUCKET and store.scheme == "http":
        yield ClearText("AWS_ENDPOINT_URL_S3", store.hostname or "", "http://", "https://")


def _of_database(variable: str, config: Mapping[str, Any]) -> Iterator[ClearText]:
    """One for each host, unless its name is verified. libpq takes the environment, too."""
    of_environment = {
        option.keyword.decode(): option.val.decode()
        for option in Conninfo.get_defaults()
        if option.val and option.keyword.decode() in _OF_LIBPQ
    }
    named = {"host": config["HOST"]} if config.get("HOST") else {}
    options = {**of_environment, **config.get("OPTIONS", {}), **named}
    if options.get("sslmode") == _VERIFIED:
        return
    hosts = options.get("hostaddr") or options.get("host") or ""
    if not hosts and "service" in options:
        hosts = f"service={options['service']}"  # a file that only libpq reads names them
    found, needed = f"sslmode={options.get('sslmode', 'prefer')}", f"sslmode={_VERIFIED}"
    for host in hosts.split(","):
        yield ClearText(variable, host.strip("[] "), found, needed)


def _of_broker() -> Iterator[ClearText]:
    """Each node without TLS. Celery verifies none if the first one has no TLS."""
    nodes = [urlsplit(node.strip()) for node in settings.CELERY_BROKER_URL.split(";")]
    for node in nodes:
        if "+socket" in node.scheme or _is_verified(node, of=nodes):
            continue
        found = f"{node.scheme}://" if "ssl_" not in node.query else "ssl_ options of its own"
        needed = " or ".join(f"{scheme}://" for scheme in _BROKERS_WITH_TLS)
        yield ClearText("CELERY_BROKER_URL", node.hostname or "", found, f"{needed} for each node")


def _is_verified(node: SplitResult, *, of: list[SplitResult]) -> bool:
    """Options in its URL replace Sabot's, which verify."""
    has_tls = node.scheme in _BROKERS_WITH_TLS and node.scheme == of[0].scheme
    return has_tls and "ssl_" not in node.query
