"""Verifies declarations of lost records for the log, which is below this package."""

from typing import Final

from compliance.signatures.log_gaps import verify_declaration
from compliance.trail.log.log_gaps import DeclarationVerifier

VERIFY: Final[DeclarationVerifier] = verify_declaration
