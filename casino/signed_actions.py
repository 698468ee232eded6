"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset(
    {"ACCESS_REQUESTED", "ACCESS_APPROVED", "ACCESS_REJECTED", "ACCESS_CHANGED"}
)
