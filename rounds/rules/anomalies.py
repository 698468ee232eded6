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
LATE_ARRIVAL: Final = "late-arrival"
UNSIGNED_SOURCE: Final = "unsigned-source"
ON_ARRIVAL: Final = frozenset({LATE_ARRIVAL, UNSIGNED_SOURCE})
"""Stored on arrival; only two persons can release the round (contract, details 46 and 47)."""

ANOMALIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        MISSING_CARD: gettext_noop("The rules or a play call for a card that is not there."),
        EXTRA_CARD: gettext_noop("A card is there that no rule and no play explains."),
        ILLEGAL_PLAY: gettext_noop("A decision was taken that the rules do not allow there."),
        RAISE_MISMATCH: gettext_noop("The raise is not what the play of the hand costs."),
        MAIN_BET_MISSING: gettext_noop("A bet stands without the main bet that it needs."),
        INSURANCE_NOT_OFFERED: gettext_noop("A hand was insured although no Ace was up."),
        INSURANCE_AMOUNT: gettext_noop("An insurance is not half of its main stake."),
        TOO_MANY_COPIES: gettext_noop("A card was seen more often than the decks hold it."),
        SHOE_GAP: gettext_noop("The round does not continue where the shoe's last round ended."),
        BONUS_MISSING: gettext_noop("A bonus was earned and bet on, and was not played."),
        BONUS_UNEARNED: gettext_noop("A bonus was played that the points do not give."),
        BONUS_GRID: gettext_noop("The bonus grid or its total is not what its level allows."),
        MULTIPLIER_CARDS: gettext_noop("The multiplier cards are not those of the game."),
        PAYOUT_DIFFERS: gettext_noop("The studio reported another payout than the rules give."),
        STAKE_LIMITS: gettext_noop("A stake is outside the limits of its table."),
        LATE_ARRIVAL: gettext_noop("The round arrived later than the platform accepts unseen."),
        UNSIGNED_SOURCE: gettext_noop("The round was uploaded by hand, without a signature."),
    }
)
