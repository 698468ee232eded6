"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str]] = {
    "LOG_GAP_CONFIRMED": "confirm_log_gap",
    "LOG_GAP_PROPOSED": "propose_log_gap",
    "LOG_KEY_APPROVED": "approve_log_key",
    "SIGNING_KEY_APPROVED": "decide_signing_key",
    "SIGNING_KEY_REJECTED": "decide_signing_key",
    "SIGNING_KEY_REVOKED": "decide_signing_key",
}
