"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str | None]] = {
    # ``verify_roles`` asks for the roles of those who decide about roles.
    "ACCESS_REQUESTED": None,
    "ACCESS_APPROVED": None,
    "ACCESS_REJECTED": None,
    "ACCESS_CHANGED": None,
}
