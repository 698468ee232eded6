"""What a process remembers of the database that it works on."""

from rounds.services.require_signed_rules import SIGNED
from rounds.signatures.decided_by_persons import KNOWN
from rounds.signatures.verified_batches import forget_verified_batches


def forget_verified() -> None:
    """Forgets what was verified, as a new process that has verified nothing yet."""
    SIGNED.forget()
    KNOWN.forget()
    forget_verified_batches()
