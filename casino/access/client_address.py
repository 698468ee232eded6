"""The address that a request came from."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str | None:
    """The client's address as the outermost trusted proxy saw it; None if it is no address.

    Each proxy appends its client to X-Forwarded-For. Entries before the last ``TRUSTED_PROXIES``
    come from the client and are ignored.
    """
    nearest = request.META.get("REMOTE_ADDR", "")
    passed_on = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    hops = [*passed_on, nearest][-1 - settings.TRUSTED_PROXIES :]
    return _valid(hops[0].strip()) or _valid(nearest)


def _valid(text: str) -> str | None:
    try:
        return str(ip_address(text))
    except ValueError:
        return None
