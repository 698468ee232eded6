"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from compliance.trail.extra_checks import Check
from rounds.services.sign_rules import verify_rule_sets
from rounds.signatures.verify_signatures import verify_signatures

CHECKS: Final[tuple[Check, ...]] = (verify_signatures, verify_rule_sets)
