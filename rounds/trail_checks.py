"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from compliance.trail.extra_checks import Check
from rounds.signatures.verify_signatures import verify_signatures

CHECKS: Final[tuple[Check, ...]] = (verify_signatures,)
