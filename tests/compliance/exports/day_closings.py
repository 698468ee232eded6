"""Closed and logged days, and the output of the verifier."""

from datetime import timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.exports import verify_bundle
from compliance.trail.log.append_to_log import append_to_log
from tests.compliance.exports.exported_days import known_in
from tests.payouts.gaming_days.day_scenarios import AFTER

HOUR: Final = timedelta(hours=1)
LOG_KEY: Final = Ed25519PrivateKey.generate()


def log() -> None:
    """Logs waiting records."""
    append_to_log(LOG_KEY, now=AFTER)


def verifier_output(path: Path, folder: Path) -> str:
    """The output of the verifier for a bundle."""
    messages: list[str] = []
    verify_bundle.verify(str(path), known_in(folder), say=messages.append)
    return "\n".join(messages)
