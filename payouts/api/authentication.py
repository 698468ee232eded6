"""Proving by a token which key a program has, and counting those that prove nothing."""

from datetime import datetime
from ipaddress import ip_address, ip_network
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.finding import Proved, key_of
from payouts.api.models import ApiKey
from payouts.api.problems import FieldError, Problem
from payouts.api.services.note_use import note_use
from payouts.api.services.spend_call import spend_call
from payouts.api.tokens import token_of
from payouts.pages.lockout import address_of

FAILURES_PER_MINUTE: Final = 60
"""Calls that prove nothing, from one address; further ones are not even looked at."""
_HEADER: Final = "header:Authorization"


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer TOKEN``. Nothing else proves anything here, no cookie either."""

    def authenticate(self, request: Request) -> tuple[Caller, ApiKey] | None:
        """Who calls; None without a token. Raises Problem for a token that is no good."""
        header = request.headers.get("Authorization")
        if header is None:
            return None
        address = address_of(request._request)  # noqa: SLF001  documented: the request of Django
        try:
            caller = _prove(header, address, at=timezone.now())
        except Problem as problem:
            raise counted(problem, address) from None
        return caller, caller.key

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  of the framework
        """What is asked for."""
        return 'Bearer realm="Sabot"'


def counted(problem: Problem, address: str | None) -> Problem:
    """The problem itself, or that there were too many of them from this address."""
    spent = spend_call(f"failures:{address}", per_minute=FAILURES_PER_MINUTE)
    if spent.is_within:
        return problem
    return Problem(problems.THROTTLED, headers={"Retry-After": str(spent.retry_seconds)})


def _prove(header: str, address: str | None, *, at: datetime) -> Caller:
    scheme, _space, text = header.partition(" ")
    token = token_of(text.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        found = f"{scheme} …" if text else "…"
        raise _refused(problems.UNKNOWN_KEY, found, _("Bearer, and a token as it was shown"))
    proved = key_of(token)
    if proved is None:
        raise _refused(problems.UNKNOWN_KEY, "Bearer …", _("a token as it was shown"))
    _check_in_force(proved, at=at)
    _check_address(proved.key, address)
    note_use(proved.key, proved.used_at, address=address, at=at)
    return Caller(proved.key, address)


def _check_in_force(proved: Proved, *, at: datetime) -> None:
    if proved.revoked_at is not None:
        found = _("revoked on %(moment)s") % {"moment": proved.revoked_at.isoformat()}
        raise _refused(problems.REVOKED_KEY, found, _("a key in force"))
    ends = (proved.key.expires_at, proved.ends_at)
    over = [moment for moment in ends if moment is not None and moment <= at]
    if over:
        found = _("expired on %(moment)s") % {"moment": min(over).isoformat()}
        raise _refused(problems.EXPIRED_KEY, found, _("a key in force"))


def _check_address(key: ApiKey, address: str | None) -> None:
    if not key.networks:
        return
    here = ip_address(address) if address else None
    here = getattr(here, "ipv4_mapped", None) or here
    if here is None or not any(here in ip_network(one) for one in key.networks):
        needed = _("an address on the key's list")
        error = FieldError("address", address, needed)
        raise Problem(problems.ADDRESS_NOT_ALLOWED, errors=[error])


def _refused(of: problems.ProblemKind, found: str, needed: str) -> Problem:
    return Problem(of, errors=[FieldError(_HEADER, found, needed)])
