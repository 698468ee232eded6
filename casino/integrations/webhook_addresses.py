"""The addresses that webhooks may have: public ones only (protection against SSRF).

A host name is resolved at each attempt, and the connection is made to the address that was checked.
A check when the webhook is added would not suffice, because DNS records change.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from rounds.field_errors import InvalidField

LONGEST: Final = 2_000
_NAT64: Final = IPv6Network("64:ff9b::/96")
_SITE_LOCAL: Final = IPv6Network("fec0::/10")
"""Deprecated, and global to Python; routers of companies may still know it (RFC 3879)."""
_HOST: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-:_")
_INSIDE: Final = ("localhost", ".localhost", ".local", ".internal", ".home.arpa")

Address = IPv4Address | IPv6Address


class ForbiddenAddress(Exception):
    """A host name resolves to an address that is not public."""


def checked_url(url: str) -> str:
    """The URL of a webhook, if valid. Raises InvalidField."""
    needed = _("an https:// URL of a public host, without user, password or fragment")
    try:
        parts = urlsplit(url)
        port, host = parts.port, (parts.hostname or "").lower()
    except ValueError:
        raise InvalidField("url", url, needed) from None
    plain = 0 < len(url) <= LONGEST and url.isascii() and url.isprintable() and " " not in url
    bare = parts.username is None and parts.password is None and not parts.fragment
    if not (plain and bare and host and set(host) <= _HOST and port != 0):
        raise InvalidField("url", url, needed)
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_own(host)):
        raise InvalidField("url", url, needed)
    if _is_inside(host) and not _is_own(host):
        raise InvalidField("url", url, needed)
    return url


def port_of(parts: SplitResult) -> int:
    """The port of a URL."""
    return parts.port or (443 if parts.scheme == "https" else 80)


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a host. Raises ForbiddenAddress if one is not public, or OSError."""
    results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    texts = list(dict.fromkeys(str(place[0]) for *_kind, place in results))
    for text in texts:
        if not _may_be_called(ip_address(text.partition("%")[0])):
            raise ForbiddenAddress(text)
    return texts


def _may_be_called(address: Address) -> bool:
    inner = _unwrapped(address)
    if inner.is_loopback:
        return bool(settings.WEBHOOKS_TO_LOOPBACK)
    if inner.is_multicast or inner.is_reserved or inner in _SITE_LOCAL:
        return False
    return inner.is_global


def _unwrapped(address: Address) -> Address:
    """The IPv4 address that is embedded in an IPv6 address; else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or teredo or address


def _is_own(host: str) -> bool:
    """Whether the host is this machine, and loopback is allowed."""
    if not settings.WEBHOOKS_TO_LOOPBACK:
        return False
    literal = _literal(host)
    return host == "localhost" if literal is None else literal.is_loopback


def _is_inside(host: str) -> bool:
    """Whether the host's text alone shows that it is not public."""
    literal = _literal(host)
    if literal is None:
        return host.endswith(_INSIDE) or "." not in host
    return not _may_be_called(literal)


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
