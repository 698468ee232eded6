"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str | None]] = {
    "HOLD_PLACED": "place_hold",
    "HOLD_LIFTED": "lift_hold",
}
