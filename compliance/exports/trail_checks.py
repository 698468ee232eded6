"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from compliance.exports.services.verify_bundle_steps import verify_bundle_steps
from compliance.trail.extra_checks import Check

CHECKS: Final[tuple[Check, ...]] = (verify_bundle_steps,)
