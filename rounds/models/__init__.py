"""The models of tables, shoes, rounds and bets."""

from rounds.models.closed_days import ClosedDay
from rounds.models.earlier_rule_set import EarlierRuleSet
from rounds.models.intake import (
    ConflictingDocument,
    OpenConflict,
    OpenQuarantine,
    QuarantinedDocument,
    QueuedRound,
)
from rounds.models.round import Bet, Round, RoundName, Validation
from rounds.models.round_video import RoundVideo
from rounds.models.ruling import StoredRuling
from rounds.models.shoe import ShoeOpening
from rounds.models.signed_batch import SignedBatch, SignedChunk
from rounds.models.studio_key import (
    EarlierTable,
    SignatureRequirement,
    StudioKey,
    StudioKeyStep,
)
from rounds.models.suspension import TableSuspension
from rounds.models.table import Customer, StakeLimit, StakeLimitSet, Table
from rounds.models.upload import FeedAnswers, FeedChunk, FeedSignatures, FeedUpload

__all__ = [
    "Bet",
    "ClosedDay",
    "ConflictingDocument",
    "Customer",
    "EarlierRuleSet",
    "EarlierTable",
    "FeedAnswers",
    "FeedChunk",
    "FeedSignatures",
    "FeedUpload",
    "OpenConflict",
    "OpenQuarantine",
    "QuarantinedDocument",
    "QueuedRound",
    "Round",
    "RoundName",
    "RoundVideo",
    "ShoeOpening",
    "SignatureRequirement",
    "SignedBatch",
    "SignedChunk",
    "StakeLimit",
    "StakeLimitSet",
    "StoredRuling",
    "StudioKey",
    "StudioKeyStep",
    "Table",
    "TableSuspension",
    "Validation",
]
