"""The address that a request came from."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str | None:
    """The address that the outermost of our own proxies saw; None where there is none.

    Each proxy adds whom it was asked by at the end of X-Forwarded-For; what stands before the
    ``TRUSTED_PROXIES`` last ones may be made up by whoever asks, and is not believed.
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
