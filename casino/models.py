"""The models of people's access and of the SIEM, where Django finds them."""

from casino.access.models import (
    AccessDecision,
    AccessEvent,
    AccessNotice,
    AccessRequest,
    LoginFailure,
    OpenSession,
)
from casino.siem.models import SiemCursor

__all__ = [
    "AccessDecision",
    "AccessEvent",
    "AccessNotice",
    "AccessRequest",
    "LoginFailure",
    "OpenSession",
    "SiemCursor",
]
