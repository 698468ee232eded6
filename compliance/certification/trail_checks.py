"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from compliance.certification.verify_weights import verify_weights
from compliance.trail.extra_checks import Check

CHECKS: Final[tuple[Check, ...]] = (verify_weights,)
