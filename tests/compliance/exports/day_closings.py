"""Closed and logged days, and the output of the verifier."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.exports import verify_bundle
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.signed_heads import key_id_of, raw_key
from payouts.cases.remedies import Remedy
from tests.compliance.exports.exported_days import known_in
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.payouts.gaming_days.day_scenarios import AFTER

HOUR: Final = timedelta(hours=1)
LOG_KEY: Final = Ed25519PrivateKey.generate()
LOG_KEY_ID: Final = key_id_of(raw_key(LOG_KEY.public_key()))


def log() -> None:
    """Logs waiting records."""
    append_to_log(LOG_KEY, now=AFTER)


def verifier_output(path: Path, folder: Path) -> str:
    """The output of the verifier for a bundle."""
    messages: list[str] = []
    verify_bundle.verify(str(path), known_in(folder), say=messages.append)
    return "\n".join(messages)


def void_by_case(*references: str, at: datetime) -> None:
    """Two persons void rounds by signature."""
    case = opened("malfunction", *references, at=at)
    propose(case, Remedy.VOID, at=at)
    approve(case, at=at)
    assert {outcome for outcome, _sequence in execute(case, at=at)} == {"done"}
