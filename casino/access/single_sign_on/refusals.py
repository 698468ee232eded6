"""Refused logins of a provider, counted and recorded as wrong passwords are.

Nobody's name is in a record unless the account is known: an identity is a keyed digest.
"""

from secrets import token_hex

from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest

from casino.access.lockout_by_account import address_locked_until, knows_an_account
from casino.access.lockout_by_address import address_of, network_of
from casino.access.single_sign_on.identities import Identity


def is_turned_away(request: HttpRequest) -> bool:
    """Whether too many logins from the address failed, unless an account knows the browser."""
    origin = network_of(address_of(request))
    AxesProxyHandler.update_request(request)
    at = request.axes_attempt_time  # type: ignore[attr-defined]  # set just above
    until = address_locked_until(request, "", origin=origin, at=at)
    return until is not None and not knows_an_account(request)


def counted_as(identity: Identity | None) -> str:
    """The name by which an identity without an account is counted; no two answers without one."""
    return f"single sign-on {identity.digest if identity else token_hex(32)}"


def count_refusal(
    request: HttpRequest,
    reason: str,
    *,
    person: User | None = None,
    identity: Identity | None = None,
) -> None:
    """Counts a failed login of the account or identity, and of the address, and records it."""
    name = person.get_username() if person else counted_as(identity)
    digest = identity.digest if identity else ""
    user_login_failed.send(
        __name__, credentials={"username": name}, request=request, reason=reason, identity=digest
    )
