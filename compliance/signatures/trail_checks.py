"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from compliance.signatures.log_keys import verify_log_keys
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.extra_checks import Check

CHECKS: Final[tuple[Check, ...]] = (verify_signatures, verify_rows, verify_log_keys)
