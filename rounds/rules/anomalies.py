"""Anomalies: the codes of the feed contract that hold a round ("What comes out")."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.citation import gettext_noop

MISSING_CARD: Final = "missing-card"
EXTRA_CARD: Final = "extra-card"
ILLEGAL_PLAY: Final = "illegal-play"
RAISE_MISMATCH: Final = "raise-mismatch"
MAIN_BET_MISSING: Final = "main-bet-missing"
INSURANCE_NOT_OFFERED: Final = "insurance-not-offered"
INSURANCE_AMOUNT: Final = "insurance-amount"
TOO_MANY_COPIES: Final = "too-many-copies"
SHOE_GAP: Final = "shoe-gap"
BONUS_MISSING: Final = "bonus-missing"
BONUS_UNEARNED: Final = "bonus-unearned"
BONUS_GRID: Final = "bonus-grid"
MULTIPLIER_CARDS: Final = "multiplier-cards"
PAYOUT_DIFFERS: Final = "payout-differs"
STAKE_LIMITS: Final = "stake-limits"
"""Needs the limits of the table, so replay never reports it (contract, detail 14)."""
# Stored on arrival; only two persons can release the round (contract, details 46 and 47).
LATE_ARRIVAL: Final = "late-arrival"
UNSIGNED_SOURCE: Final = "unsigned-source"

ANOMALIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        MISSING_CARD: gettext_noop("The rules or a play require a card that is missing."),
        EXTRA_CARD: gettext_noop("A card was dealt that no rule or play requires."),
        ILLEGAL_PLAY: gettext_noop("A decision was made that the rules do not allow."),
        RAISE_MISMATCH: gettext_noop("The raise does not match the cost of the play."),
        MAIN_BET_MISSING: gettext_noop("A bet has no main bet, which it requires."),
        INSURANCE_NOT_OFFERED: gettext_noop("A hand was insured without an Ace face up."),
        INSURANCE_AMOUNT: gettext_noop("An insurance is not half of its main stake."),
        TOO_MANY_COPIES: gettext_noop("A card was seen more often than the decks contain it."),
        SHOE_GAP: gettext_noop(
            "The round does not continue where the previous round of the shoe ended."
        ),
        BONUS_MISSING: gettext_noop("A bonus with bets on it was earned, but not played."),
        BONUS_UNEARNED: gettext_noop("A bonus was played that the points do not earn."),
        BONUS_GRID: gettext_noop("The bonus grid or its total does not match its level."),
        MULTIPLIER_CARDS: gettext_noop("The multiplier cards do not match the game."),
        PAYOUT_DIFFERS: gettext_noop("The studio reported a payout that differs from the rules."),
        STAKE_LIMITS: gettext_noop("A stake is outside the limits of its table."),
        LATE_ARRIVAL: gettext_noop("The round arrived after the maximum delay."),
        UNSIGNED_SOURCE: gettext_noop("The round arrived without a valid signature of its studio."),
    }
)
