"""Sessions, failed logins, access requests and their notices."""

from casino.access.models.logins import LoginFailure
from casino.access.models.requests import AccessDecision, AccessEvent, AccessNotice, AccessRequest
from casino.access.models.sessions import OpenSession

__all__ = [
    "AccessDecision",
    "AccessEvent",
    "AccessNotice",
    "AccessRequest",
    "LoginFailure",
    "OpenSession",
]
