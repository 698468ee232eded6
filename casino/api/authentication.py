"""Bearer authentication with API keys, and the limit of failed attempts."""

from collections.abc import Iterable
from datetime import datetime
from ipaddress import ip_address, ip_network
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from casino.access.lockout_by_address import address_of, network_of
from casino.api import problems
from casino.api.problems import FieldError, Problem
from casino.integrations.caller import Caller
from casino.integrations.key_lookup import KeyMatch, match_key
from casino.integrations.last_used import record_use
from casino.integrations.models import ApiKey
from casino.integrations.rate_limit import count_call
from casino.integrations.scopes import Scope
from casino.integrations.tokens import parse_token, token_prefix

FAILURES_PER_MINUTE: Final = 60
"""Failed attempts per address; further ones are throttled."""
_HEADER: Final = "header:Authorization"


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer TOKEN``; cookies are ignored."""

    def authenticate(self, request: Request) -> tuple[Caller, ApiKey] | None:
        """The caller; None without a token. Raises Problem for an invalid token."""
        header = request.headers.get("Authorization")
        if header is None:
            return None
        address = address_of(request._request)
        try:
            caller = _authenticate(header, address, at=timezone.now())
        except Problem as problem:
            raise count_failure(problem, address) from None
        return caller, caller.key

    def authenticate_header(self, request: Request) -> str:
        """The challenge."""
        return 'Bearer realm="Sabot"'


def check_scopes(caller: Caller, needed: Iterable[Scope]) -> None:
    """Raises Problem (403) unless the key has these scopes."""
    missing = [scope for scope in needed if not caller.has(scope)]
    if missing:
        found = " ".join(caller.key.scopes)
        errors = [FieldError(_HEADER, found, scope.value) for scope in missing]
        raise Problem(problems.SCOPE_MISSING, errors=errors)


def check_is_directory(caller: Caller, *, needed: bool) -> None:
    """Raises Problem (403) for a directory's key at other calls, and for other keys at SCIM."""
    if caller.is_directory == needed:
        return
    scope = Scope.DIRECTORY_MANAGE.value
    text = scope if needed else _("a key without the scope %(scope)s") % {"scope": scope}
    error = FieldError(_HEADER, " ".join(caller.key.scopes), text)
    raise Problem(problems.SCOPE_MISSING, errors=[error])


def count_failure(problem: Problem, address: str | None) -> Problem:
    """Counts a failed attempt; returns the problem, or that of too many attempts."""
    usage = count_call(f"failures:{network_of(address)}", per_minute=FAILURES_PER_MINUTE)
    if usage.is_within:
        return problem
    return Problem(problems.THROTTLED, headers={"Retry-After": str(usage.retry_seconds)})


def _authenticate(header: str, address: str | None, *, at: datetime) -> Caller:
    scheme, _space, text = header.partition(" ")
    token = parse_token(text.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        found = f"{scheme} …" if text else "…"
        raise _invalid_token(problems.UNKNOWN_KEY, found, _("Bearer, followed by a valid token"))
    if token.prefix != token_prefix():  # before the look-up: nothing tells whether the key exists
        found, needed = f"Bearer {token.prefix}_…", f"Bearer {token_prefix()}_…"
        raise _invalid_token(problems.OTHER_MODE, found, needed)
    match = match_key(token)
    if match is None:
        raise _invalid_token(problems.UNKNOWN_KEY, "Bearer …", _("a token issued by Sabot"))
    _check_valid(match, at=at)
    _check_address(match.key, address)
    record_use(match.key, match.used_at, address=address, at=at)
    return Caller(match.key, address)


def _check_valid(match: KeyMatch, *, at: datetime) -> None:
    if match.revoked_at is not None:
        found = _("revoked on %(moment)s") % {"moment": match.revoked_at.isoformat()}
        raise _invalid_token(problems.REVOKED_KEY, found, _("a valid key"))
    ends = (match.key.expires_at, match.ends_at)
    past = [end for end in ends if end is not None and end <= at]
    if past:
        found = _("expired on %(moment)s") % {"moment": min(past).isoformat()}
        raise _invalid_token(problems.EXPIRED_KEY, found, _("a valid key"))


def _check_address(key: ApiKey, address: str | None) -> None:
    if not key.networks:
        return
    client = ip_address(address) if address else None
    client = getattr(client, "ipv4_mapped", None) or client
    if client is None or not any(client in ip_network(network) for network in key.networks):
        needed = _("an IP address that the key allows")
        error = FieldError("address", address, needed)
        raise Problem(problems.ADDRESS_NOT_ALLOWED, errors=[error])


def _invalid_token(problem_type: problems.ProblemType, found: str, needed: str) -> Problem:
    return Problem(problem_type, errors=[FieldError(_HEADER, found, needed)])
