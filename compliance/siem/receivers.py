"""The receivers that the settings name."""

import ssl
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from compliance.siem.https import HttpReceiver
from compliance.siem.syslog import PORT, SyslogReceiver
from compliance.siem.tls import Receiver, client_context


def configured_receivers() -> list[Receiver]:
    """Those of SIEM_SYSLOG and SIEM_HTTP_URL. Raises ImproperlyConfigured, also for none."""
    context = client_context(
        authority=settings.SIEM_CA_FILE,
        certificate=settings.SIEM_CLIENT_CERTIFICATE,
        key=settings.SIEM_CLIENT_KEY,
    )
    receivers: list[Receiver] = []
    if settings.SIEM_SYSLOG:
        receivers.append(_syslog(settings.SIEM_SYSLOG, context))
    if settings.SIEM_HTTP_URL:
        receivers.append(_http(settings.SIEM_HTTP_URL, context))
    if not receivers:
        raise ImproperlyConfigured("SIEM_SYSLOG, SIEM_HTTP_URL: found neither; needed one")
    return receivers


def _syslog(address: str, context: ssl.SSLContext) -> SyslogReceiver:
    parts = _parts(f"//{address}")
    if parts is None or not parts.hostname or parts.path or parts.query or "@" in parts.netloc:
        raise ImproperlyConfigured(f"SIEM_SYSLOG: found {address}; needed HOST:PORT")
    return SyslogReceiver(parts.hostname, parts.port or PORT, context)


def _http(url: str, context: ssl.SSLContext) -> HttpReceiver:
    parts = _parts(url)
    if parts is None or parts.scheme != "https" or not parts.hostname or "@" in parts.netloc:
        raise ImproperlyConfigured(
            "SIEM_HTTP_URL: found another text; needed https://HOST/PATH without user or password"
        )
    authorization = settings.SIEM_HTTP_AUTHORIZATION
    if not (authorization.isascii() and (authorization.isprintable() or not authorization)):
        raise ImproperlyConfigured(
            "SIEM_HTTP_AUTHORIZATION: found other characters; needed the value of a header"
        )
    return HttpReceiver(parts, context, authorization=authorization)


def _parts(url: str) -> SplitResult | None:
    """The parts of a URL with a valid port; None if it has another."""
    try:
        parts = urlsplit(url)
        _port = parts.port
    except ValueError:
        return None
    return parts
