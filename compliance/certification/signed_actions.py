"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str | None]] = {
    "BONUS_WEIGHTS_SET": "sign_bundle",
    "BONUS_WEIGHTS_APPROVED": "sign_bundle",
}
