"""What is stored of tables, shoes, rounds and bets."""

from rounds.models.intake import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.models.round import Bet, Round, Validation
from rounds.models.shoe import ShoeOpening
from rounds.models.table import Customer, StakeLimit, StakeLimitSet, Table

__all__ = [
    "Bet",
    "ConflictingDocument",
    "Customer",
    "QuarantinedDocument",
    "QueuedRound",
    "Round",
    "ShoeOpening",
    "StakeLimit",
    "StakeLimitSet",
    "Table",
    "Validation",
]
