"""Lock-out by account and address after failed logins, as django-axes counts them."""

from datetime import datetime
from ipaddress import IPv6Address, IPv6Network, ip_address

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from rounds.formatting import moment


def is_locked(request: HttpRequest, account: str) -> bool:
    """Whether the account is locked for the address of the request."""
    return not AxesProxyHandler.is_allowed(request, {"username": account})


def address_of(request: HttpRequest) -> str | None:
    """The address that failures are counted by and that audit records name."""
    AxesProxyHandler.update_request(request)
    address: str | None = request.axes_ip_address  # type: ignore[attr-defined]  # set just above
    return address


def network_of(address: str | None) -> str | None:
    """What counts as one address: for IPv6 the network of 64 bits, which one customer has."""
    if address is None:
        return None
    known = ip_address(address)
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Network((known, 64), strict=False).network_address)


def reset_failures(request: HttpRequest, account: str) -> None:
    """Deletes the account's failures from the address of the request."""
    AxesProxyHandler.reset_attempts(username=account, ip_address=address_of(request))


def knows_password(request: HttpRequest, person: User, password: str) -> bool:
    """Whether this is the password of the person; a wrong one counts as a failed login."""
    account = person.get_username()
    if authenticate(request, username=account, password=password) != person:
        return False
    reset_failures(request, account)
    return True


def lockout_message(request: HttpRequest, account: str) -> str:
    """The message to a person whose account is locked, with the end of the lock."""
    handler, credentials = AxesProxyHandler.get_implementation(), {"username": account}
    anywhere = handler.locked_anywhere_until(request, credentials)
    if anywhere is not None:
        message = _(
            "Too many failed logins: this account is locked until %(moment)s. You can still log in"
            " from a browser that you have used before, and an administrator can unlock the"
            " account."
        )
        return message % {"moment": moment(anywhere, "s")}
    here = handler.address_locked_until(request, credentials)
    if here is not None:
        message = _(
            "Too many failed logins from your network: new browsers cannot log in from there until"
            " %(moment)s. You can still log in from a browser that you have used before."
        )
        return message % {"moment": moment(here, "s")}
    message = _("Too many failed logins: this account is locked for this browser until %(moment)s.")
    return message % {"moment": moment(_locked_until(request, account), "s")}


def _locked_until(request: HttpRequest, account: str) -> datetime:
    counted = AccessAttempt.objects.filter(
        username=account, ip_address=network_of(address_of(request))
    )
    last: datetime | None = counted.values_list("attempt_time", flat=True).first()
    until: datetime = (last or request.axes_attempt_time) + get_cool_off(request)  # type: ignore[attr-defined]  # as above
    return until
